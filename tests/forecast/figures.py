"""What is computed of lists of numbers."""
import math


def quantile(values, share):
    """The quantile with linear interpolation between neighbours; NaN of nothing."""
    values = sorted(values)
    if not values:
        return math.nan
    at = share * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def ranks(values):
    """The rank of each value, from 1 on; equal ones share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result, first = [0.0] * len(values), 0
    while first < len(order):
        end = first
        while end < len(order) and values[order[end]] == values[order[first]]:
            end += 1
        for k in order[first:end]:
            result[k] = (first + 1 + end) / 2
        first = end
    return result


def mean(values):
    return math.fsum(values) / len(values) if values else math.nan


def geometric_mean(values):
    return math.exp(mean([math.log(v) for v in values])) if values else math.nan


def correlation(a, b):
    """Pearson's; NaN if one of them is constant."""
    of_a, of_b = mean(a), mean(b)
    product = math.fsum((x - of_a) * (y - of_b) for x, y in zip(a, b))
    squares = math.fsum((x - of_a) ** 2 for x in a) * math.fsum((y - of_b) ** 2 for y in b)
    return product / math.sqrt(squares) if squares > 0 else math.nan


def rank_correlation(a, b):
    """Spearman's."""
    return correlation(ranks(a), ranks(b))
