// Tools whose schemas some client or other has refused, or shown wrongly, in the field: one peculiarity each.

import { offerTool } from './tool.mjs';

/** @typedef {import('./app.mjs').App} App */

/**
 * @typedef {object} HardTool
 * @property {string} name says what is hard about it
 * @property {object} input
 * @property {object} output
 * @property {Record<string, unknown>} args a call that fits
 * @property {unknown} result what the application answers
 * @property {unknown} [structured] what clients get of it as structured content; the result itself by default
 * @property {Record<string, unknown>} [wrong] a call that does not fit, if there is one
 */

const OBJECT = { type: 'object' };

/** @type {HardTool[]} */
export const HARD_TOOLS = [
  {
    name: 'draft_07',
    input: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/greet.json',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } },
      dependencies: { pair: ['pair'] },
    },
    output: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { ok: { type: 'boolean' } } },
    args: { pair: ['a', 1] },
    result: { ok: true },
    wrong: { pair: [1, 'a'] },
  },
  {
    name: 'draft_07_as_the_handbook_spells_it',
    input: { $schema: 'https://json-schema.org/draft-07/schema', type: 'object', properties: { name: { type: 'string' } } },
    output: { $schema: 'https://json-schema.org/draft-07/schema', ...OBJECT },
    args: { name: 'Ada' },
    result: { any: 'thing' },
    wrong: { name: 7 },
  },
  {
    name: 'references',
    input: {
      type: 'object',
      properties: { from: { $ref: '#/$defs/place' }, to: { $ref: '#/$defs/place', description: 'Where to' } },
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    },
    output: {
      type: 'object',
      properties: { route: { type: 'array', items: { $ref: '#/definitions/leg' } } },
      definitions: { leg: { type: 'object', properties: { km: { type: 'number' } } } },
    },
    args: { from: { city: 'Sofia' }, to: { city: 'Rome' } },
    result: { route: [{ km: 900 }, { km: 500 }] },
    wrong: { from: {} },
  },
  {
    name: 'recursion',
    input: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
    },
    output: {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
    args: { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] },
    result: { tree: { next: { next: { next: {} } } } },
    wrong: { children: [{ children: [{ value: 'deep' }] }] },
  },
  {
    name: 'arrays_without_items',
    input: { type: 'object', properties: { list: { type: 'array' }, maybe: { type: ['array', 'null'] } } },
    output: { type: 'object', properties: { list: { type: 'array' } } },
    args: { list: [1, 'two', null], maybe: null },
    result: { list: [{ any: 'thing' }, 2] },
    wrong: { list: 'none' },
  },
  {
    name: 'alternatives_at_the_root',
    input: {
      anyOf: [
        { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      ],
    },
    output: {
      oneOf: [
        { type: 'object', properties: { found: { type: 'object' } }, required: ['found'] },
        { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
      ],
    },
    args: { name: 'Ada' },
    result: { reason: 'nobody of that name' },
    wrong: { age: 7 },
  },
  {
    name: 'all_of_at_the_root',
    input: {
      type: 'object',
      properties: { symbol: { type: 'string' } },
      allOf: [{ $ref: '#/$defs/paged' }, { required: ['symbol'] }],
      $defs: { paged: { properties: { page: { type: 'integer', minimum: 1 } } } },
    },
    output: { allOf: [{ type: 'object', properties: { price: { type: 'number' } } }, { required: ['price'] }] },
    args: { symbol: 'VOD.L', page: 2 },
    result: { price: 71.5 },
    wrong: { symbol: 'VOD.L', page: 0 },
  },
  {
    name: 'conditions_at_the_root',
    input: {
      type: 'object',
      properties: { by: { type: 'string', enum: ['phone', 'mail'] }, phone: { type: 'string' }, mail: { type: 'string' } },
      required: ['by'],
      if: { properties: { by: { const: 'phone' } } },
      then: { required: ['phone'] },
      else: { required: ['mail'] },
      not: { required: ['phone', 'mail'] },
    },
    output: OBJECT,
    args: { by: 'phone', phone: '+359' },
    result: {},
    wrong: { by: 'phone', mail: 'a@b' },
  },
  {
    name: 'a_string',
    input: OBJECT,
    output: { type: 'string' },
    args: {},
    result: 'just text',
    structured: { value: 'just text' },
  },
  {
    name: 'an_array',
    input: OBJECT,
    output: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    args: {},
    result: [{ id: 'a' }, { id: 'b' }],
    structured: { value: [{ id: 'a' }, { id: 'b' }] },
  },
  {
    name: 'a_number_or_null',
    input: { type: 'object', properties: { of: { type: ['string', 'null'] } } },
    output: { type: ['number', 'null'] },
    args: { of: null },
    result: 42,
    structured: { value: 42 },
    wrong: { of: 1 },
  },
  {
    name: 'a_text_or_null_that_is_null',
    input: OBJECT,
    output: { type: ['string', 'null'] },
    args: {},
    result: null,
    structured: { value: null },
  },
  {
    name: 'closed_objects_with_patterns',
    input: {
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      allOf: [{ properties: { a: { type: 'string' } } }],
    },
    output: {
      type: 'object',
      allOf: [
        { patternProperties: { '^x-': {} } },
        { properties: { a: {} }, patternProperties: { '^y-': {} }, additionalProperties: false },
      ],
    },
    args: { 'x-1': 'any', a: 'b' },
    result: { 'y-1': 1 },
    wrong: { 'x-1': 7 },
  },
  {
    name: 'references_out_of_the_ordinary',
    input: {
      $id: 'https://example.com/order.json',
      type: 'object',
      properties: { line: { $ref: '#/components/schemas/Line' }, place: { $ref: 'place.json' } },
      components: { schemas: { Line: { type: 'object', properties: { next: { $ref: '#/components/schemas/Line' } } } } },
      $defs: { Place: { $id: 'place.json', type: 'object', properties: { city: { $ref: '#/$defs/City' } }, $defs: { City: { type: 'string' } } } },
    },
    output: OBJECT,
    args: { line: { next: { next: {} } }, place: { city: 'Sofia' } },
    result: {},
    wrong: { place: { city: 1 } },
  },
  {
    name: 'headers_that_nobody_can_send',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'bad name' }, list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } } },
    },
    output: OBJECT,
    args: { region: 'north', list: ['a'] },
    result: {},
    wrong: { region: 1 },
  },
  {
    name: 'schemas_that_are_true_or_false',
    input: {
      type: 'object',
      properties: { anything: true, nothing: false },
      additionalProperties: false,
      patternProperties: { '^x-': true },
    },
    output: { type: 'object', properties: { anything: true } },
    args: { anything: { deep: [1] }, 'x-more': 1 },
    result: { anything: 'goes' },
    wrong: { nothing: 1 },
  },
  {
    name: 'properties_without_a_type',
    input: { properties: { name: { description: 'Any value' }, size: { enum: ['s', 'm', 1, null] }, fixed: { const: 'x' } } },
    output: { properties: { name: {} } },
    args: { name: 1, size: null, fixed: 'x' },
    result: { name: null },
    wrong: { size: 'xl' },
  },
  {
    name: 'nothing_but_an_object',
    input: OBJECT,
    output: OBJECT,
    args: { whatever: true },
    result: { whatever: true },
  },
  {
    name: 'keywords_of_2020',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { id: { $anchor: 'id', type: 'string', minLength: 1 } },
      properties: {
        id: { $ref: '#id' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
        tags: { type: 'array', contains: { const: 'main' }, minContains: 1, maxContains: 1 },
      },
      dependentRequired: { pair: ['id'] },
      unevaluatedProperties: false,
    },
    output: { type: 'object', properties: { when: { type: 'string', format: 'date-time' } }, unevaluatedProperties: false },
    args: { id: 'a', pair: ['a', 1], tags: ['main'] },
    result: { when: '2026-01-01T00:00:00Z' },
    wrong: { pair: ['a', 1] },
  },
  {
    name: 'property_names_of_every_kind',
    input: {
      type: 'object',
      properties: { 'with space': { type: 'string' }, 'größe': { type: 'number' }, $ref: { type: 'string' }, type: { type: 'string' } },
    },
    output: { type: 'object', properties: { $ref: { type: 'string' }, properties: { type: 'object' } } },
    args: { 'with space': 'x', 'größe': 1, $ref: 'y', type: 'z' },
    result: { $ref: 'r', properties: {} },
    wrong: { 'größe': 'small' },
  },
];

/**
 * Has an application offer all of them.
 *
 * @param {App} app
 */
export async function offerHardTools(app) {
  for (const { name, input, output, result } of HARD_TOOLS) {
    const handler = /** @type {() => unknown} */ (new Function(`return ${JSON.stringify(result)}`));
    await offerTool(app, { name, input, output }, handler);
  }
}
