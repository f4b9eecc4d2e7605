import type { AnyOperation } from '../contracts/operation'
import { aggregateRecords } from '../http/aggregateRecords'
import { listEvents } from '../http/listEvents'
import { either, type Words, wordsOf, wordsOfEntity } from '../kit/words'
import type { Registry } from '../registry/registry'
import type { Arguments } from './tool'

/**
 * Returns who wrote the texts of an answer. The keys of groups are marked as the fields are that the arguments name, and the
 * data of events as their types declare it.
 */
export function answerWords(
  { name, output }: AnyOperation,
  registry: Pick<Registry, 'entities' | 'eventTypes'>,
  args: Arguments,
): Words {
  const words = wordsOf(output)
  if (name === aggregateRecords.name) return withField(words, ['groups', 'keys'], keyWords(registry, args))
  if (name === listEvents.name) return withField(words, ['events', 'data'], dataWords(registry))
  return words
}

function keyWords({ entities }: Pick<Registry, 'entities'>, { entity, group_by }: Arguments): Words {
  const found = entities.get(String(entity))
  const words = found ? wordsOfEntity(found) : 'theirs'
  if (typeof words === 'string' || 'items' in words) return 'theirs'
  const keys = (Array.isArray(group_by) ? group_by : []).map((key): [string, Words] => {
    // The names of workspaces are what people typed.
    const [field = ''] = String(key).split(':', 1)
    return [String(key), words.fields.get(field) ?? 'theirs']
  })
  return { fields: new Map(keys), others: 'theirs' }
}

const dataWords = ({ eventTypes }: Pick<Registry, 'eventTypes'>): Words =>
  [...eventTypes.values()].map(({ data }) => wordsOf(data)).reduce(either, 'ours')

/** Replaces the words of a field. Its path leaves out the items of lists. */
function withField(words: Words, [name, ...rest]: readonly string[], told: Words): Words {
  if (name === undefined) return told
  if (typeof words === 'string') return words
  if ('items' in words) return { items: withField(words.items, [name, ...rest], told) }
  const inside = withField(words.fields.get(name) ?? 'theirs', rest, told)
  return { ...words, fields: new Map([...words.fields, [name, inside]]) }
}
