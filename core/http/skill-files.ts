import { type PublishedSkill, skillsWith } from '../skills/catalog'
import { type Page, publicPageOf } from './answer'

/** Public addresses of the skills as files. */
export const skillPaths = {
  /** The index of Agent Skills Discovery 0.2, at the address that the draft names. */
  discovery: '/.well-known/agent-skills/',
  /** The same, for people who type it. */
  files: '/skills/',
} as const

const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const open = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' }

/** Returns the index, the texts and the archives of the skills whose operations are there, by path. */
export function skillFilesOf(
  origin: string,
  hasOperation: (name: string) => boolean,
): ReadonlyMap<string, Page> {
  const skills = skillsWith(hasOperation)
  const index = publicPageOf(indexOf(origin, skills), open)
  const files = new Map<string, Page>()
  for (const root of Object.values(skillPaths)) {
    files.set(`${root}index.json`, index)
    for (const { name, text } of skills)
      files.set(
        `${root}${name}/SKILL.md`,
        publicPageOf(text, { ...open, 'content-type': 'text/markdown; charset=utf-8' }),
      )
  }
  for (const { name, archive } of skills)
    files.set(
      archivePath(name),
      publicPageOf(archive, {
        ...open,
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}.zip"`,
      }),
    )
  return files
}

/** Returns the lines of `llms.txt` about the skills. */
export const skillLines = (origin: string, skills: readonly PublishedSkill[]): readonly string[] =>
  skills.map(
    ({ name, title, description }) =>
      `- [${title}](${origin}${skillPaths.files}${name}/SKILL.md): ${firstSentence(description)}`,
  )

const archivePath = (name: string) => `${skillPaths.files}${name}.zip`

/** Clients ignore fields that they do not know, so the archive is named beside the file. */
function indexOf(origin: string, skills: readonly PublishedSkill[]): string {
  const entries = skills.map(({ name, description, text, archive }) => ({
    name,
    type: 'skill-md',
    description,
    url: `${origin}${skillPaths.discovery}${name}/SKILL.md`,
    digest: digestOf(text),
    archive: { url: `${origin}${archivePath(name)}`, digest: digestOf(archive) },
  }))
  return JSON.stringify({ $schema: schema, skills: entries })
}

const digestOf = (content: string | Uint8Array) =>
  `sha256:${new Bun.CryptoHasher('sha256').update(content).digest('hex')}`

const firstSentence = (text: string) => {
  const end = text.indexOf('. ')
  return end < 0 ? text : text.slice(0, end + 1)
}
