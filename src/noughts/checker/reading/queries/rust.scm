((struct_item name: (_) @class.name) @class (#set! joint "::"))
(impl_item type: (_) @class.name) @class
(trait_item name: (_) @class.name) @class @abstract
(field_declaration name: (_) @field.name type: (_) @field.type) @field

(function_item name: (_) @function.name return_type: (_)? @function.returns) @function @void
((function_item parameters: (parameters) @_given) @static (#not-match? @_given "\\bself\\b"))
(parameter pattern: (_) @parameter.name type: (_) @parameter.type) @parameter
(closure_expression) @skip
(return_expression (_) @function.value)

(enum_item name: (_) @enum.name) @enum
(enum_variant name: (_) @member.name value: (_)? @member.value) @member
