import type { Json } from '../../../drawing/flow-file.ts'
import {
  formFieldsOf,
  isForm,
  jsonBodyOf,
  type Language,
  pathOf,
  type SampleRequest,
} from './sample-request.ts'

/** The variable of the environment that has the key in every sample. */
export const KEY_VARIABLE = 'SLUICE_KEY'

/**
 * A program that sends a request and prints the answer: a command for a POSIX shell, a program for Python 3 with its
 * standard library, a module for Node.js.
 *
 * @param nodeIds the nodes of the flow: an override may have a value for each
 */
export const sampleOf = (
  language: Language,
  request: SampleRequest,
  nodeIds: ReadonlySet<string> = new Set(),
): string =>
  language === 'curl'
    ? curlSample(request, nodeIds)
    : language === 'python'
      ? pythonSample(request)
      : javascriptSample(request)

function curlSample(request: SampleRequest, nodeIds: ReadonlySet<string>): string {
  const streamed = request.kind === 'ask-streamed'
  return [
    `curl ${streamed ? '-sSN' : '-sS'} ${shellText(request.origin + pathOf(request))}`,
    ...(request.needsKey ? [`-H "Authorization: Bearer $${KEY_VARIABLE}"`] : []),
    ...(isForm(request)
      ? [
          ...request.files.map((file) => `-F ${shellText(`files=@${curlPath(file)}`)}`),
          ...formFieldsOf(request, nodeIds).map(
            ([name, value]) => `--form-string ${shellText(`${name}=${value}`)}`,
          ),
        ]
      : ["-H 'Content-Type: application/json'", `-d ${shellText(JSON.stringify(jsonBodyOf(request)))}`]),
  ].join(' \\\n  ')
}

/** A word of a POSIX shell: nothing in it is replaced. */
const shellText = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** In a path without quotes, curl reads `;` and `,` as the beginning of something else. */
const curlPath = (path: string): string =>
  /[;,"\\]/.test(path) ? `"${path.replace(/["\\]/g, String.raw`\$&`)}"` : path

function pythonSample(request: SampleRequest): string {
  const form = isForm(request)
  const headers = [
    form
      ? '    "Content-Type": f"multipart/form-data; boundary={boundary}",'
      : '    "Content-Type": "application/json",',
    ...(request.needsKey ? [`    "Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],`] : []),
  ]
  const streamed = request.kind === 'ask-streamed'
  return [
    'import json',
    ...(form || request.needsKey ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    ...(form ? ['import uuid'] : []),
    '',
    `url = ${pythonValue(request.origin + pathOf(request))}`,
    ...(form ? pythonForm(request) : [`body = json.dumps(${pythonValue(jsonBodyOf(request))}).encode()`]),
    'headers = {',
    ...headers,
    '}',
    '',
    'try:',
    '    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as response:',
    ...(streamed
      ? [
          '        for line in response:',
          '            if line.startswith(b"data:"):',
          '                event = json.loads(line[5:])',
          '                if event["event"] == "token":',
          '                    print(event["data"], end="", flush=True)',
          '                elif event["event"] == "error":',
          '                    raise SystemExit(event["data"])',
          '        print()',
        ]
      : ['        print(json.dumps(json.load(response), indent=2, ensure_ascii=False))']),
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(f"{error.code} {error.read().decode()}")',
    '',
  ].join('\n')
}

function pythonForm({ files, overrides, stopNodeId }: SampleRequest): string[] {
  const fields = {
    ...(stopNodeId === undefined ? {} : { stopNodeId }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrideConfig: overrides }),
  }
  return [
    `files = ${pythonValue([...files])}`,
    `fields = ${pythonValue(fields)}`,
    '',
    'boundary = uuid.uuid4().hex',
    'body = b""',
    'for name, value in fields.items():',
    '    text = value if isinstance(value, str) else json.dumps(value)',
    String.raw`    body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode()`,
    'for path in files:',
    `    name = os.path.basename(path).replace('"', "%22")`,
    String.raw`    body += f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()`,
    '    with open(path, "rb") as file:',
    String.raw`        body += file.read() + b"\r\n"`,
    String.raw`body += f"--{boundary}--\r\n".encode()`,
  ]
}

/** A value as Python writes it: as JSON, but for `None`, `True` and `False`. */
function pythonValue(value: Json, indent = ''): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => pythonValue(one, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`),
      ]
  const line = `${open}${parts.join(', ')}${close}`
  return line.length <= LONG && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

/** The longest value on one line, in characters. */
const LONG = 60

function javascriptSample(request: SampleRequest): string {
  const form = isForm(request)
  const key = request.needsKey ? `Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`` : ''
  const headers = [...(form ? [] : ["'Content-Type': 'application/json'"]), ...(key ? [key] : [])]
  return [
    ...(form ? ["import { openAsBlob } from 'node:fs'", "import { basename } from 'node:path'", ''] : []),
    ...(form ? javascriptForm(request) : []),
    `const response = await fetch(${JSON.stringify(request.origin + pathOf(request))}, {`,
    "  method: 'POST',",
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    form
      ? '  body: form,'
      : `  body: JSON.stringify(${JSON.stringify(jsonBodyOf(request), null, 2).replaceAll('\n', '\n  ')}),`,
    '})',
    ...(request.kind === 'ask-streamed'
      ? [
          'if (!response.ok) throw new Error(await response.text())',
          "let rest = ''",
          'for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {',
          String.raw`  const lines = (rest + piece).split('\n')`,
          '  rest = lines.pop()',
          "  for (const line of lines.filter((line) => line.startsWith('data:'))) {",
          '    const { event, data } = JSON.parse(line.slice(5))',
          "    if (event === 'token') process.stdout.write(data)",
          "    if (event === 'error') throw new Error(data)",
          '  }',
          '}',
          'console.log()',
        ]
      : [
          'if (!response.ok) throw new Error(await response.text())',
          'console.log(JSON.stringify(await response.json(), null, 2))',
        ]),
    '',
  ].join('\n')
}

function javascriptForm({ files, overrides, stopNodeId }: SampleRequest): string[] {
  return [
    'const form = new FormData()',
    `for (const path of ${JSON.stringify(files)})`,
    "  form.append('files', await openAsBlob(path), basename(path))",
    ...(stopNodeId === undefined ? [] : [`form.append('stopNodeId', ${JSON.stringify(stopNodeId)})`]),
    ...(Object.keys(overrides).length === 0
      ? []
      : [`form.append('overrideConfig', JSON.stringify(${JSON.stringify(overrides, null, 2)}))`]),
    '',
  ]
}
