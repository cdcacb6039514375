größen = {"höhe": [1, 2]}


def längste(namen):
    return "äöü", größen[namen[0]] + größen["日本"]


längste(["höhe"])
