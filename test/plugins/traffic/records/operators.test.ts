import { describe, expect, test } from 'bun:test'
import { agents } from '../../../../ingest/data/agents'
import { assistants } from '../../../../ingest/data/assistants'
import { operatorOf } from '../../../../plugins/traffic/records/operators'

/** Assistants of nobody whose crawlers are counted. */
const alone = new Set([
  'Yuanbao',
  'Lumo',
  'Poe',
  'Komo',
  'Felo',
  'Genspark',
  'Monica',
  'Character.AI',
  'Pi',
  'HuggingChat',
  'Jasper',
  'Writesonic',
  'Chat+',
])
const known = new Set(agents.map(({ operator }) => operator))

describe('The operator behind a host', () => {
  test.each(assistants.map((assistant) => [assistant.name, assistant] as const))(
    'of %s is one of the registry, or known to be none',
    (name, { hosts, parts = [] }) => {
      const all = [...hosts, ...parts.map((part) => part.replace(/[/?].*/, ''))]
      for (const host of all) {
        const operator = operatorOf(host)
        if (alone.has(name)) expect(operator).toBeNull()
        else expect(known.has(operator ?? host)).toBe(true)
      }
    },
  )
  test('holds for subdomains, on the boundary of a label', () => {
    expect(operatorOf('labs.perplexity.ai')).toBe('Perplexity')
    expect(operatorOf('notperplexity.ai')).toBeNull()
    expect(operatorOf('ai')).toBeNull()
    expect(operatorOf('')).toBeNull()
  })
})
