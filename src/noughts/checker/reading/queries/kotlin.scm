(package_header (_) @package)

(class_declaration name: (_) @class.name) @class
((class_declaration (modifiers (inheritance_modifier "abstract"))) @abstract)
(class_declaration "interface") @abstract
((class_declaration (modifiers (class_modifier "inner"))) @inner)
(delegation_specifier (constructor_invocation (user_type (identifier) @class.base)))
(delegation_specifier (user_type (identifier) @class.base))
(primary_constructor) @constructor
(secondary_constructor) @constructor
(class_parameter (identifier) @parameter.name) @parameter
(class_parameter [(user_type) (nullable_type)] @parameter.type)
(class_parameter [(user_type) (nullable_type)] . (_) @parameter.default)

(property_declaration (variable_declaration (identifier) @field.name (_)? @field.type)) @field
((property_declaration (modifiers (visibility_modifier "private"))) @hidden)

(function_declaration name: (_) @function.name (function_value_parameters) . [(user_type) (nullable_type)]? @function.returns) @function
((function_declaration (function_body (block))) @void)
((function_declaration (modifiers (visibility_modifier "private"))) @hidden)
(companion_object (class_body (function_declaration) @static))
(parameter (identifier) @parameter.name (_) @parameter.type) @parameter
(lambda_literal) @skip
(anonymous_function) @skip
(return_expression (_) @function.value)

((class_declaration (modifiers (class_modifier "enum")) name: (_) @enum.name) @enum)
(enum_entry (identifier) @member.name) @member
