import type { FieldDocs } from './field-doc.ts'

/** OpenAI's protocol, the Model Context Protocol, and the OpenAPI document. */
export const protocolFields: FieldDocs = {
  // OpenAI
  model: ['The slug or the id of the flow; for embeddings builtin', 'assistant'],
  messages: [
    'The conversation, oldest first; the last one is the question',
    [{ role: 'user', content: 'Hello' }],
  ],
  'messages.role': ['Who wrote the message, in the terms of OpenAI', 'user'],
  'content.type': ['The type of this part of a message', 'text'],
  'content.text': ['The text of this part', 'Hello'],
  image_url: ['A picture', { url: 'data:image/png;base64,iVBORw0KGgo=' }],
  stream: ['Whether the answer is sent in chunks', false],
  stream_options: ['Options of a streamed answer', { include_usage: true }],
  include_usage: ['Whether the last chunk has the token counts', true],
  n: ['The number of answers: 1', 1],
  object: ['The type of the object, in the terms of OpenAI', 'list'],
  created: ['Time of creation, in seconds since 1970', 1769850000],
  choices: ['The answer, as a list of one', []],
  index: ['The position in the list, from 0', 0],
  'choices.message': ['The answer', { role: 'assistant', content: 'Four weeks.' }],
  finish_reason: ['Why the answer ended', 'stop'],
  usage: ['The number of tokens used', { prompt_tokens: 12, total_tokens: 12 }],
  prompt_tokens: ['Tokens of the question', 12],
  completion_tokens: ['Tokens of the answer', 8],
  total_tokens: ['Tokens of both', 20],
  owned_by: ['Always sluice', 'sluice'],
  'body.input': ['One text, or a list of at most 2,048', ['Otters hold hands.']],
  encoding_format: ['float for numbers, base64 for the bytes of 32-bit floats, little-endian', 'float'],
  embedding: ['The vector, as numbers or as base64', [0.1, 0.2]],
  refusal: ['Always null', null],
  annotations: ['The sources of the answer', []],
  url_citation: ['A source of the whole answer', { title: 'handbook.pdf', url: 'urn:source:handbook.pdf' }],
  'url_citation.title': ['The name of the source', 'handbook.pdf'],
  start_index: ['Always 0', 0],
  end_index: ['The length of the answer, in UTF-16 code units', 42],
  logprobs: ['Always null', null],

  // the Model Context Protocol
  jsonrpc: ['Always 2.0', '2.0'],
  method: ['The name of the method', 'tools/list'],
  params: ['The parameters of the method', {}],
  'error.code': ['The code of the error: of Sluice as text, of JSON-RPC as a number', 'file_encrypted'],
  'error.data': ['More about the error', {}],

  // the OpenAPI document
  openapi: ['The version of OpenAPI', '3.1.0'],
  info: ['Name and version of the server', { title: 'Sluice', version: '0.1.0' }],
  paths: ['The routes', {}],
  components: ['The errors, and how to send a key', {}],
}
