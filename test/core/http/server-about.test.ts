import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { agentFilesOf } from '../../../core/http/agent-files'

const url = v.pipe(v.string(), v.url())
const input = {
  description: v.optional(v.string()),
  isRequired: v.optional(v.boolean()),
  isSecret: v.optional(v.boolean()),
  placeholder: v.optional(v.string()),
  value: v.optional(v.string()),
  default: v.optional(v.string()),
  choices: v.optional(v.array(v.string())),
  format: v.optional(v.picklist(['string', 'number', 'boolean', 'filepath'])),
}

/** `ServerDetail` of the registry's schema 2025-12-11, for servers that are only reached over HTTP. Strict: a wrong name fails. */
const serverDetail = v.strictObject({
  $schema: v.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: v.pipe(v.string(), v.minLength(3), v.maxLength(200), v.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  title: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
  version: v.pipe(v.string(), v.maxLength(255), v.regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)),
  websiteUrl: v.optional(url),
  repository: v.optional(v.strictObject({ url, source: v.string() })),
  remotes: v.array(
    v.strictObject({
      type: v.picklist(['streamable-http', 'sse']),
      url: v.pipe(v.string(), v.regex(/^(https?:\/\/[^\s]+|\{[a-zA-Z_]\w*\}[^\s]*)$/)),
      variables: v.optional(v.record(v.string(), v.strictObject(input))),
      headers: v.optional(v.array(v.strictObject({ name: v.string(), ...input }))),
    }),
  ),
})

test('server.json fits the schema of the registry, and says what the Server Card says', async () => {
  const file = v.parse(serverDetail, await Bun.file(`${import.meta.dir}/../../../server.json`).json())
  const card = JSON.parse(String(agentFilesOf('https://renown.example.com', []).card.body))
  const { $schema: _, remotes, ...about } = file
  expect(about).toEqual({
    name: card.name,
    title: card.title,
    description: card.description,
    version: card.version,
  })
  // With a host in the place of the variable, it is the address that the card names.
  const [remote] = remotes
  expect(remote?.url.replace('{host}', 'renown.example.com')).toBe(card.remotes[0].url)
  expect(Object.keys(remote?.variables ?? {})).toEqual(['host'])
  expect(file.version).toBe((await Bun.file(`${import.meta.dir}/../../../package.json`).json()).version)
})
