"""Every directive."""


def helper(x):
    y = x + 1
    return y


def main():
    steps = 3  # @slider 1 10 @inspect steps
    rate = 0.5  # @slider 0.1 1 0.1
    small = 1e-3  # @slider 1e-4 1
    a = helper(steps)  # @stepover @inspect a
    b = [helper(i) for i in range(2)]  # @stepover
    c = helper(a)  # @predict How much? @inspect c
    d = (
        c > 3
    )  # @predict Is it? | yes | no @inspect d
    e = 1  # @inspect e
    e = "# @inspect nothing"  # @clear e
    hidden = 5  # @hide
    mail = "x"  # write to somebody@example.org
    for i in range(2):  # @inspect i
        rate = helper(  # said within
            i
        )  # @stepover
    return rate


main()
