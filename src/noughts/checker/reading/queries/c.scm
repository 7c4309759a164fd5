(type_definition type: (struct_specifier body: (_)) declarator: (type_identifier) @class.name) @class
(struct_specifier name: (_) @class.name body: (_)) @class
(field_declaration type: (_) @field.type declarator: (field_identifier) @field.name) @field

(function_definition type: (_) @function.returns declarator: (function_declarator
  declarator: (identifier) @function.name)) @function
(function_definition type: (_) @function.returns declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @function.name))) @function
(parameter_declaration declarator: (identifier) @parameter.name) @parameter
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @parameter.name)) @parameter
(parameter_declaration declarator: (pointer_declarator
  declarator: (pointer_declarator declarator: (identifier) @parameter.name))) @parameter
(parameter_declaration declarator: (array_declarator declarator: (identifier) @parameter.name)) @parameter
(parameter_declaration declarator: (array_declarator
  declarator: (array_declarator declarator: (identifier) @parameter.name))) @parameter
(return_statement (_) @function.value)

(type_definition type: (enum_specifier) declarator: (type_identifier) @enum.name) @enum
(enum_specifier name: (_) @enum.name body: (_)) @enum
(enumerator name: (_) @member.name value: (_)? @member.value) @member
