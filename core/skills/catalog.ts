import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memorySkillFiles, type Skill, SkillCatalog } from '@modelcontextprotocol/server/ext/skills'
import { zipParts } from '../kit/tables/zip'

/** A skill: how an assistant does one task with the tools of Renown. */
export interface PublishedSkill {
  /** Name of its folder in `skills`. */
  readonly name: string
  /** First heading of its text. */
  readonly title: string
  /** What it does and when to use it. */
  readonly description: string
  /** The whole `SKILL.md`. */
  readonly text: string
  /** The instructions, without the frontmatter. */
  readonly instructions: string
  /** The tools without which it is useless. All of them only read. */
  readonly tools: readonly string[]
  /** The tools that it uses only with permission to write. */
  readonly writeTools: readonly string[]
  /** What clients of the protocol receive: address, frontmatter, digests and sizes. */
  readonly entry: Skill
  /** Its folder as a ZIP archive. The same folder gives the same bytes. */
  readonly archive: Uint8Array<ArrayBuffer>
}

const folder = join(import.meta.dir, '../../skills')

/** Tools that every installation has, because they read records of any type. */
const recordTools = ['list_records', 'get_record', 'describe_records', 'list_workspaces']

/** All skills, by name. A file that breaks the format stops the start. */
export const allSkills: readonly PublishedSkill[] = await load()

/** Returns the skills whose tools are all there. */
export const skillsWith = (hasTool: (name: string) => boolean): readonly PublishedSkill[] =>
  allSkills.filter(({ tools }) => tools.every((name) => recordTools.includes(name) || hasTool(name)))

async function load(): Promise<readonly PublishedSkill[]> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name, 'SKILL.md'), 'utf8')]))
  const files = Object.fromEntries([...texts].map(([name, text]) => [`${name}/SKILL.md`, text]))
  const catalog = await SkillCatalog.load(memorySkillFiles(files), { strict: true })
  return Promise.all(
    catalog.entries.map(async (entry) => {
      const { name, description, metadata } = entry.frontmatter
      const text = texts.get(name) ?? ''
      const instructions = text.slice(text.indexOf('\n---\n', 4) + 5).trim()
      return {
        name,
        description,
        text,
        instructions,
        entry,
        title: instructions.slice(2, instructions.indexOf('\n')),
        tools: wordsIn(metadata, 'renown-tools'),
        writeTools: wordsIn(metadata, 'renown-write-tools'),
        archive: await archiveOf(`${name}/SKILL.md`, text),
      }
    }),
  )
}

/** Returns the words of an entry of the frontmatter's metadata. */
function wordsIn(metadata: unknown, key: string): readonly string[] {
  const words = (metadata as Readonly<Record<string, string>> | undefined)?.[key] ?? ''
  return words.split(' ').filter(Boolean)
}

async function archiveOf(path: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Array.fromAsync(zipParts([{ path, parts: [text] }]))
  return new Uint8Array(Buffer.concat(parts))
}
