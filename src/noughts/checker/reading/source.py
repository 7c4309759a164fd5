"""What a file with a solution contains: classes, functions and enums, whatever its language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, or a field of a class.

    Attributes:
        name: its name.
        type: its type as written, or an empty string.
        default: its default or initial value as written, or an empty string.
        label: the label that a call must give it, as in Swift, or an empty string.
    """

    name: str
    type: str = ""
    default: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A function, a method or a constructor.

    Attributes:
        name: its name; empty for a constructor that is called by the name of its class.
        parameters: its parameters, without the object itself (`self`, a receiver, a C struct).
        returns: the type it returns as written, or an empty string. A method whose language
            declares types and that declares none, such as Go's or Rust's, has "void".
        values: the expressions it returns as written, without those of inner functions.
        line: the line at which it begins, counted from 1.
        lines: the number of its lines.
        text: its source.
        static: whether it is called without an object.
        value: whether it is read without parentheses: a property, a getter.
        hidden: whether it cannot be called from outside the class or module.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    values: tuple[str, ...] = ()
    line: int = 0
    lines: int = 0
    text: str = ""
    static: bool = False
    value: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """A class, or a struct with its functions.

    Attributes:
        name: its full name, ``Outer.Inner``; the parts of a C++ name are joined by ``::``.
        constructors: how objects are created. A constructor with a name is a function that returns
            an object: Go's ``Constructor``, Rust's ``new``, C's ``ticTacToeCreate``.
        methods: its methods, inherited ones included where the file has the base class.
        fields: its fields that can be read from outside.
        bases: the names of its base classes.
        line: the line at which it begins.
        lines: the number of its lines.
        abstract: whether it cannot have objects: an interface, a trait, an abstract class.
        inner: whether its objects need an object of the enclosing class.
        text: its source without its methods: what its fields start with.
    """

    name: str
    constructors: tuple[Function, ...] = ()
    methods: tuple[Function, ...] = ()
    fields: tuple[Parameter, ...] = ()
    bases: tuple[str, ...] = ()
    line: int = 0
    lines: int = 0
    abstract: bool = False
    inner: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Enum:
    """An enumeration: its full name, and the names of its members with their values as written."""

    name: str
    members: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """The contents of a file.

    Attributes:
        classes: its classes, in the order of the file.
        functions: its functions outside classes.
        enums: its enumerations, and groups of constants that stand for one.
        package: the package, module or namespace that the whole file is in, or an empty string.
        error: the line of the first syntax error, counted from 1, and the text there; None if the
            file is well formed.
        text: its text.
    """

    classes: tuple[Class, ...] = ()
    functions: tuple[Function, ...] = ()
    enums: tuple[Enum, ...] = ()
    package: str = ""
    error: tuple[int, str] | None = None
    text: str = ""
