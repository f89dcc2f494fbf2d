"""A classification tree (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984)."""
from collections import Counter


def impurity(labels):
    """Gini's, times the number of labels."""
    count = len(labels)
    return count - sum(n * n for n in Counter(labels).values()) / count if count else 0.0


def commonest(labels):
    """Of labels that are equally common, the first by name."""
    return min(Counter(labels).items(), key=lambda item: (-item[1], item[0]))[0]


def best_split(points, labels):
    """(impurity, feature, threshold) of the split into `<= threshold` and the rest that leaves least; None if there is none."""
    best = None
    for feature in range(len(points[0])):
        values = sorted({point[feature] for point in points})
        for low, high in zip(values, values[1:]):
            threshold = (low + high) / 2
            sides = [[], []]
            for point, label in zip(points, labels):
                sides[point[feature] > threshold].append(label)
            left = impurity(sides[0]) + impurity(sides[1])
            if best is None or left < best[0] - 1e-12:
                best = (left, feature, threshold)
    return best


def grow(points, labels, depth):
    """A tree is a label, or (feature, threshold, tree of those not above it, tree of the others)."""
    split = best_split(points, labels) if depth > 0 and len(set(labels)) > 1 else None
    if split is None or split[0] >= impurity(labels) - 1e-12:
        return commonest(labels)
    _, feature, threshold = split
    below = [k for k, point in enumerate(points) if point[feature] <= threshold]
    above = [k for k, point in enumerate(points) if point[feature] > threshold]
    return (feature, threshold) + tuple(grow([points[k] for k in side], [labels[k] for k in side], depth - 1)
                                        for side in (below, above))


def classify(tree, point):
    while isinstance(tree, tuple):
        tree = tree[3] if point[tree[0]] > tree[1] else tree[2]
    return tree
