import type { Surface } from '../registry/surface'
import { ProtocolFault } from './fault'
import type { Skills } from './skills'
import { titleOf } from './tool'

const root = 'renown://records/'
const mimeType = 'application/json'

export interface Resources {
  readonly listings: {
    uri: string
    name: string
    title: string
    description: string
    mimeType: string
    size?: number
  }[]
  read(uri: string): { contents: { uri: string; mimeType: string; text: string }[] }
}

/** Returns one resource for each record type, with what describe_records returns. */
export function compileResources({ entities }: Surface): Resources {
  const texts = new Map(entities.map((entity) => [`${root}${entity.name}`, JSON.stringify(entity)]))
  return {
    listings: entities.map(({ name, summary, not_yet }) => ({
      uri: `${root}${name}`,
      name,
      title: titleOf(name),
      description: `Fields of ${name}: ${summary}${not_yet === undefined ? '' : `. ${not_yet}`}`,
      mimeType,
    })),
    read(uri) {
      const text = texts.get(uri)
      if (text === undefined) throw new ProtocolFault('Resource not found', { uri: uri.slice(0, 200) })
      return { contents: [{ uri, mimeType, text }] }
    },
  }
}

/** Returns the resources of record types, and those of skills. */
export const withSkills = (records: Resources, skills: Skills): Resources => ({
  listings: [...records.listings, ...skills.resources],
  read: (uri) => skills.read(uri) ?? records.read(uri),
})
