(class_declaration name: (_) @class.name) @class
(abstract_class_declaration name: (_) @class.name) @class @abstract
(interface_declaration name: (_) @class.name) @class @abstract
(variable_declarator name: (_) @class.name value: (class)) @class
(export_statement value: (class) @class)
(extends_clause value: (_) @class.base)
(public_field_definition name: (_) @field.name type: (_)? @field.type) @field
((public_field_definition (accessibility_modifier) @_word) @hidden (#not-eq? @_word "public"))

(method_definition name: (_) @function.name return_type: (_)? @function.returns) @function
(method_definition "static") @static
(method_definition "get") @getter
((method_definition (accessibility_modifier) @_word) @hidden (#not-eq? @_word "public"))
(public_field_definition name: (_) @function.name
  value: (arrow_function return_type: (_)? @function.returns)) @function
(function_declaration name: (_) @function.name return_type: (_)? @function.returns) @function
(variable_declarator name: (_) @function.name
  value: [(function_expression) (arrow_function return_type: (_)? @function.returns)]) @function
(required_parameter pattern: (_) @parameter.name type: (_)? @parameter.type
  value: (_)? @parameter.default) @parameter
(optional_parameter pattern: (_) @parameter.name type: (_)? @parameter.type
  value: (_)? @parameter.default) @parameter
(optional_parameter) @optional
[(arrow_function) (function_expression)] @skip
(return_statement (_) @function.value)

(enum_declaration name: (_) @enum.name) @enum
(enum_assignment name: (_) @member.name value: (_) @member.value) @member
(enum_body (property_identifier) @member.name @member)
(type_alias_declaration name: (_) @enum.name value: (union_type)) @enum
(union_type (literal_type [(string) (number)] @member.name @member))
