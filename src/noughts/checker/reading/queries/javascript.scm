(class_declaration name: (_) @class.name) @class
(export_statement value: (class) @class)
(variable_declarator name: (_) @class.name value: (class)) @class
(assignment_expression left: (member_expression) right: (class)) @class
(class_heritage (identifier) @class.base)
(field_definition property: (_) @field.name) @field
(assignment_expression left: (member_expression
  object: (this) property: (property_identifier) @field.name)) @field

(method_definition name: (_) @function.name) @function
(method_definition "static") @static
(method_definition "get") @getter
(field_definition property: (_) @function.name value: (arrow_function)) @function
(function_declaration name: (_) @function.name) @function
(variable_declarator name: (_) @function.name value: [(function_expression) (arrow_function)]) @function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @function.receiver property: (_) @_word)
    property: (_) @function.name)
  right: (_) (#eq? @_word "prototype")) @function
(assignment_expression left: (member_expression object: (this) property: (_) @function.name)
  right: [(function_expression) (arrow_function)]) @function @own
(formal_parameters (identifier) @parameter.name @parameter)
(formal_parameters (assignment_pattern left: (_) @parameter.name right: (_) @parameter.default) @parameter)
[(arrow_function) (function_expression)] @skip
(return_statement (_) @function.value)
