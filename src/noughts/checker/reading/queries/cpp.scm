((namespace_definition name: (_) @scope.name) @scope (#set! joint "::"))

(class_specifier name: (_) @class.name body: (_)) @class
(struct_specifier name: (_) @class.name body: (_)) @class
(base_class_clause (type_identifier) @class.base)
(field_declaration type: (_) @field.type declarator: (field_identifier) @field.name) @field

(_ declarator: (function_declarator declarator: [(identifier) (field_identifier)] @constructor.name)) @_any
(function_definition type: (_)? @function.returns declarator: (function_declarator
  declarator: [(identifier) (field_identifier)] @function.name)) @function
(function_definition type: (_)? @function.returns declarator: [(pointer_declarator
  (function_declarator declarator: [(identifier) (field_identifier)] @function.name))
  (reference_declarator
  (function_declarator declarator: [(identifier) (field_identifier)] @function.name))]) @function
(field_declaration type: (_) @function.returns declarator: (function_declarator
  declarator: (field_identifier) @function.name)) @function
(declaration declarator: (function_declarator declarator: (identifier) @function.name)) @function
(function_definition type: (_)? @function.returns declarator: (function_declarator
  declarator: (qualified_identifier scope: (_) @function.receiver name: (_) @function.name))) @function
(function_definition (storage_class_specifier) @_word (#eq? @_word "static")) @static
(_ declarator: (identifier) @parameter.name) @parameter.any
(parameter_declaration declarator: (identifier) @parameter.name) @parameter
(parameter_declaration declarator: (reference_declarator (identifier) @parameter.name)) @parameter
(parameter_declaration declarator: (pointer_declarator (identifier) @parameter.name)) @parameter
(optional_parameter_declaration declarator: (identifier) @parameter.name
  default_value: (_) @parameter.default) @parameter
(lambda_expression) @skip
(return_statement (_) @function.value)

(enum_specifier name: (_) @enum.name body: (_)) @enum
(enumerator name: (_) @member.name value: (_)? @member.value) @member
