"""Texel's method for labelled.epd: Newton's method, and CR2 errors by opening pair, by their definitions."""

import re

import numpy

scale = numpy.log(3) / 300  # +300 centipawns are 0.75 points
points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
x, y, pair = [], [], []
for line in open("labelled.epd"):
    board = line.split()[0]
    x.append([board.count(piece) - board.count(piece.lower()) for piece in "QRBNP"])
    y.append(points[re.search('c9 "(.*?)"', line)[1]])
    pair.append(re.search('"pair (.*?)"', line)[1])
x, y, pair = scale * numpy.array(x, float), numpy.array(y), numpy.array(pair)

b = numpy.zeros(5)
for _ in range(30):
    p = 1 / (1 + numpy.exp(-x @ b))
    b = b + numpy.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (y - p))
p = 1 / (1 + numpy.exp(-x @ b))
loss = -(y * numpy.log(p) + (1 - y) * numpy.log(1 - p)).mean()


def errors(groups):
    root = numpy.sqrt(p * (1 - p))
    c, e = x * root[:, None], (y - p) / root
    bread = numpy.linalg.inv(c.T @ c)
    cov = 0
    for g in groups:
        values, vectors = numpy.linalg.eigh(numpy.eye(len(g)) - c[g] @ bread @ c[g].T)
        score = bread @ c[g].T @ (vectors @ numpy.diag(values**-0.5) @ vectors.T) @ e[g]
        cov = cov + numpy.outer(score, score)
    return numpy.sqrt(numpy.diag(cov))


for name, numbers in [
    ("centipawns", b),
    ("by-pair", errors([numpy.flatnonzero(pair == g) for g in numpy.unique(pair)])),
    ("by-position", errors(numpy.arange(len(y))[:, None])),
]:
    print(f"{name} =", [round(float(number), 8) for number in numbers])
print(f"log-loss = {loss:.12f}")
