import numpy, pandas, scipy.linalg, scipy.optimize
from statsmodels.miscmodels.ordinal_model import OrderedModel

df = pandas.read_csv("games.csv")
columns = ["rook", "knight", "pawn", "side_to_move", "white"]
x, y = df[columns].to_numpy(float), df.quarters.to_numpy()
w, pair = 1 / df.positions.to_numpy(float), df.pair.to_numpy()

def rows(p):  # each row's log-likelihood; five results, thresholds (-b, -a, a, b)
    z, (a, b) = x @ p[:5], p[5:]
    cuts = numpy.array([-numpy.inf, -b, -a, a, b, numpy.inf])
    logistic = lambda t: 1 / (1 + numpy.exp(-t))
    return numpy.log(logistic(cuts[y + 1] - z) - logistic(cuts[y] - z))

def scores(p, h=1e-5):  # fourth-order differences
    out = []
    for k in range(len(p)):
        e = numpy.eye(len(p))[k] * h
        out.append((8 * (rows(p + e) - rows(p - e)) - rows(p + 2 * e) + rows(p - 2 * e)) / (12 * h))
    return numpy.array(out).T

gradient = lambda p: (w[:, None] * scores(p)).sum(0)
p = scipy.optimize.minimize(lambda p: -(w * rows(p)).sum(), numpy.r_[numpy.zeros(5), 0.5, 1.0], method="Nelder-Mead",
                            options=dict(maxiter=20000, maxfev=20000, xatol=1e-6, fatol=1e-9)).x
hessian = lambda p, h=1e-4: numpy.array([(gradient(p + e) - gradient(p - e)) / (2 * h) for e in numpy.eye(len(p)) * h])
for _ in range(6):
    p = p - numpy.linalg.solve(hessian(p), gradient(p))
s = w[:, None] * scores(p)
bread = numpy.linalg.inv(-hessian(p))
everything, cov = w.copy(), 0
for g in numpy.unique(pair):  # CR2, with each pair's information
    w = numpy.where(pair == g, everything, 0)
    adjust = scipy.linalg.inv(scipy.linalg.sqrtm(numpy.eye(7) - -hessian(p) @ bread))
    error = bread @ adjust @ s[pair == g].sum(0)
    cov = cov + numpy.outer(error, error)
w = everything
print("gradient", abs(gradient(p)).max())
print("ordered coefficients", ", ".join("%.10f" % v for v in p))
print("ordered errors", ", ".join("%.10f" % v for v in numpy.sqrt(numpy.diag(cov))))
print("ordered rook-knight", "%.12f" % cov[0, 1])

# statsmodels: no weights, free thresholds, so wins, draws and losses only, and one row each.
three = df[df.quarters.isin([0, 2, 4])]
m = OrderedModel(three.quarters // 2, three[columns[:4]].astype(float), distr="logit").fit(method="newton", maxiter=500, tol=1e-14, disp=0)
t = m.model.transform_threshold_params(m.params)[1:3]
print("three coefficients", ", ".join("%.10f" % v for v in [*m.params[:4], -(t[0] + t[1]) / 2, (t[1] - t[0]) / 2]))
