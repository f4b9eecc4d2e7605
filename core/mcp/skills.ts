import type { PromptDeclaration } from '../contracts/plugin'
import { allSkills, type PublishedSkill, skillsWith } from '../skills/catalog'
import { ProtocolFault } from './fault'

/** The extension of the protocol for skills (SEP-2640). */
export const skillsExtension = 'io.modelcontextprotocol/skills'

/** The methods of the extension for skills. */
export const skillMethods = ['skills/list', 'skills/get'] as const
type SkillMethod = (typeof skillMethods)[number]

export const isSkillMethod = (method: unknown): method is SkillMethod =>
  (skillMethods as readonly unknown[]).includes(method)

type Params = Readonly<Record<string, unknown>>
type Contents = { contents: { uri: string; mimeType: string; text: string }[] }

const mimeType = 'text/markdown'

/** The skills that one request may see. */
export interface Skills {
  /** The skills as resources, for clients that do not know the extension. */
  readonly resources: {
    uri: string
    name: string
    title: string
    description: string
    mimeType: string
    size: number
  }[]
  /** Answers a method of the extension. */
  answer(method: SkillMethod, params: Params): Record<string, unknown>
  /** Returns the text of a skill. Undefined if none has the address. */
  read(uri: string): Contents | undefined
}

/** Returns the skills whose tools a request may call. */
export function skillsFor(hasTool: (name: string) => boolean): Skills {
  const offered = new Map(skillsWith(hasTool).map((skill) => [skill.entry.uri, skill]))
  return {
    resources: [...offered.values()].map(({ name, title, description, text, entry }) => ({
      uri: entry.uri,
      name,
      title,
      description,
      mimeType,
      size: Buffer.byteLength(text),
    })),
    answer(method, params) {
      if (method === 'skills/get') return { skill: named(offered, params.uri).entry }
      if (params.cursor !== undefined && params.cursor !== null)
        throw new ProtocolFault('skills/list has one page: leave out `cursor`')
      return { skills: [...offered.values()].map(({ entry }) => entry) }
    },
    read(uri) {
      const skill = offered.get(uri)
      return skill && { contents: [{ uri, mimeType, text: skill.text }] }
    },
  }
}

function named(offered: ReadonlyMap<string, PublishedSkill>, uri: unknown): PublishedSkill {
  const skill = typeof uri === 'string' ? offered.get(uri) : undefined
  if (skill) return skill
  const isKnown = allSkills.some(({ entry }) => entry.uri === uri)
  throw new ProtocolFault(
    isKnown
      ? 'This connection lacks a tool that the skill needs'
      : 'There is no skill with that address. skills/list names all',
  )
}

/** Returns a prompt for each skill, for clients that show prompts. Both have the same text. */
export const skillPrompts = (hasTool: (name: string) => boolean): readonly PromptDeclaration[] =>
  skillsWith(hasTool).map(({ name, description, instructions }) => ({
    name: name.replaceAll('-', '_'),
    summary: description,
    takes: {
      workspace_id: { description: 'Workspace to read; the home workspace if left out' },
      days: { description: 'How many days back, if not as the instructions say' },
    },
    text: ({ workspace_id, days }) =>
      [
        ...(workspace_id ? [`Pass workspace_id "${workspace_id}" to every tool.`] : []),
        ...(days ? [`Use the last ${days} days instead of the periods below.`] : []),
        instructions,
      ].join('\n\n'),
  }))
