(class_declaration name: (_) @class.name) @class
(inheritance_specifier inherits_from: (_) @class.base)
(property_declaration name: (pattern) @field.name) @field
(property_declaration (type_annotation (_) @field.type))
(property_declaration (modifiers (visibility_modifier) @_word) (#eq? @_word "private")) @hidden

(function_declaration name: (simple_identifier) @function.name) @function @void
(function_declaration name: [(user_type) (optional_type) (array_type)] @function.returns)
(function_declaration (modifiers (visibility_modifier) @_word) (#eq? @_word "private")) @hidden
(function_declaration (modifiers (property_modifier) @_word) (#eq? @_word "static")) @static
(init_declaration) @constructor
(parameter name: (simple_identifier) @parameter.name) @parameter
(parameter external_name: (_) @parameter.label)
(parameter !external_name name: (simple_identifier) @parameter.label)
(parameter [(user_type) (optional_type) (array_type)] @parameter.type)
(lambda_literal) @skip
(control_transfer_statement "return" result: (_) @function.value)

(class_declaration "enum" name: (_) @enum.name) @enum
(enum_entry name: (_) @member.name) @member
