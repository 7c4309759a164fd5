(package_clause (_) @package)

(type_spec name: (_) @class.name type: (struct_type)) @class
(field_declaration name: (_) @field.name type: (_) @field.type) @field

(function_declaration name: (_) @function.name result: (_)? @function.returns) @function @void
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @function.receiver))
  name: (_) @function.name result: (_)? @function.returns) @function @void
(function_declaration parameters: (parameter_list
  (parameter_declaration name: (_) @parameter.name type: (_) @parameter.type) @parameter))
(method_declaration parameters: (parameter_list
  (parameter_declaration name: (_) @parameter.name type: (_) @parameter.type) @parameter))
(func_literal) @skip
(return_statement (expression_list . (_) @function.value))

(const_declaration . (const_spec type: (_) @enum.name)) @enum
(const_spec name: (_) @member.name value: (expression_list (_) @member.value)?) @member
