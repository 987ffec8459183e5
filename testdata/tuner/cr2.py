"""CR2 errors and Satterthwaite's degrees of freedom from their definitions, by matrices with a row for each position."""

import numpy, pandas

df = pandas.read_csv("games.csv")
columns = ["rook", "knight", "pawn", "side_to_move", "white"]
x, y = df[columns].to_numpy(float), df.quarters.to_numpy() / 4
w, pair = 1 / df.positions.to_numpy(float), df.pair.to_numpy()
logistic = lambda t: 1 / (1 + numpy.exp(-t))

b = numpy.zeros(5)
for _ in range(30):
    p = logistic(x @ b)
    b = b + numpy.linalg.solve(x.T @ (x * (w * p * (1 - p))[:, None]), x.T @ (w * (y - p)))
p = logistic(x @ b)
root = numpy.sqrt(w * p * (1 - p))
c = x * root[:, None]  # the design of the weighted least squares of the last step
e = w * (y - p) / root
bread = numpy.linalg.inv(c.T @ c)
hat = c @ bread @ c.T


def inverse_root(m):
    values, vectors = numpy.linalg.eigh(m)
    return vectors @ numpy.diag(values**-0.5) @ vectors.T


groups = [numpy.flatnonzero(pair == g) for g in numpy.unique(pair)]
adjust = [inverse_root(numpy.eye(len(g)) - hat[numpy.ix_(g, g)]) for g in groups]
cluster_errors = [bread @ c[g].T @ a @ e[g] for g, a in zip(groups, adjust)]
cov = sum(numpy.outer(s, s) for s in cluster_errors)
residual = numpy.eye(len(y)) - hat


def products(k):  # by cluster, the weights of the errors in the error of a combination of coefficients
    out = numpy.zeros((len(groups), len(y)))
    for row, g, a in zip(out, groups, adjust):
        row[g] = a @ c[g] @ bread @ k
    return out


def covariance(one, other):  # of what the clusters add to two combinations, if the working model is right
    return products(one) @ residual @ products(other).T


def satterthwaite(k):
    q = covariance(k, k)
    return numpy.trace(q) ** 2 / (q**2).sum()


def hotelling(ks):  # Pustejovsky and Tipton (2018), equation for eta, entry by entry
    ks = numpy.linalg.inv(numpy.linalg.cholesky(ks @ bread @ ks.T)) @ ks
    q = [[covariance(s, t) for t in ks] for s in ks]
    n = range(len(ks))
    total = sum((q[s][s] * q[t][t]).sum() + (q[s][t] * q[t][s]).sum() for s in n for t in n)
    return len(ks) * (len(ks) + 1) / total


unit = numpy.eye(5)
print("standard-errors =", ["%.12f" % v for v in numpy.sqrt(numpy.diag(cov))])
print("rook-knight-covariance = %.12f" % cov[0, 1])
print("degrees-of-freedom =", ["%.9f" % satterthwaite(k) for k in unit])
print("rook-less-five-pawns = %.9f" % satterthwaite(unit[0] - 5 * unit[2]))
print("joint = %.9f" % hotelling(unit[:3]))
