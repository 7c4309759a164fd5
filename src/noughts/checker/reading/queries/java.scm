(package_declaration (_) @package)

(class_declaration name: (_) @class.name) @class
(record_declaration name: (_) @class.name) @class
(interface_declaration name: (_) @class.name) @class @abstract
((class_declaration (modifiers "abstract")) @abstract)
((class_declaration) @inner (#not-match? @inner "^[^{]*\\bstatic\\b"))
(superclass (_) @class.base)
(record_declaration parameters: (formal_parameters) @constructor)

(field_declaration type: (_) @field.type declarator: (variable_declarator name: (_) @field.name)) @field
((field_declaration (modifiers "private")) @hidden)

(method_declaration type: (_) @function.returns name: (_) @function.name) @function
((method_declaration (modifiers "static")) @static)
((method_declaration (modifiers "private")) @hidden)
(constructor_declaration name: (_)) @constructor
((constructor_declaration (modifiers "private")) @hidden)
(formal_parameter type: (_) @parameter.type name: (_) @parameter.name) @parameter
(lambda_expression) @skip
(return_statement (_) @function.value)

(enum_declaration name: (_) @enum.name) @enum
(enum_constant name: (_) @member.name) @member
