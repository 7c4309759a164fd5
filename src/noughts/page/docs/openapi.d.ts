/** The parts of an OpenAPI description that the server uses. */

export type Schema = {
  $ref?: string;
  type?: string;
  description?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  default?: unknown;
  items?: Schema;
  prefixItems?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

/** By media type. */
export type Content = Record<string, { schema?: Schema }>;

export type Answer = { content?: Content };

/** An operation, with its address. */
export type Operation = {
  path: string;
  method: string;
  description: string;
  parameters: { name: string; schema?: Schema; description?: string }[];
  requestBody?: { content?: Content };
  responses: Record<string, Answer>;
};
