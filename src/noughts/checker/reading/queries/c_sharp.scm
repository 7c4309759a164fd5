(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @scope.name) @scope

(class_declaration name: (_) @class.name) @class
(struct_declaration name: (_) @class.name) @class
(record_declaration name: (_) @class.name) @class
(interface_declaration name: (_) @class.name) @class @abstract
((class_declaration (modifier) @_word) @abstract (#eq? @_word "abstract"))
(base_list (_) @class.base)
(class_declaration (parameter_list) @constructor)
(record_declaration (parameter_list) @constructor)

(property_declaration type: (_) @field.type name: (_) @field.name) @field
(field_declaration (variable_declaration
  type: (_) @field.type (variable_declarator name: (_) @field.name))) @field
(property_declaration (modifier "public")) @open
(field_declaration (modifier "public")) @open

(method_declaration returns: (_) @function.returns name: (_) @function.name) @function
(method_declaration (modifier "public")) @open
(method_declaration (modifier "internal")) @open
(method_declaration (modifier "static")) @static
(constructor_declaration) @constructor
((constructor_declaration (modifier "private")) @hidden)
(parameter type: (_) @parameter.type name: (_) @parameter.name (_)? @parameter.default) @parameter
(lambda_expression) @skip
(return_statement (_) @function.value)
(method_declaration body: (arrow_expression_clause (_) @function.value))

(enum_declaration name: (_) @enum.name) @enum
(enum_member_declaration name: (_) @member.name value: (_)? @member.value) @member
