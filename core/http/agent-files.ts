import type { PublishedSkill } from '../skills/catalog'
import { type Page, publicPageOf } from './answer'
import { guideLines } from './docs-files'
import { serverAbout, serverNameOn } from './server-about'
import { skillLines, skillPaths } from './skill-files'

/** Public addresses at which agents find the MCP server before they connect to it. */
export const agentFilePaths = {
  /** The Server Card (SEP-2127). */
  card: '/api/mcp/server-card',
  /** The catalog that names the card. */
  catalog: '/.well-known/ai-catalog.json',
  /** What a language model may read of this host. */
  llms: '/llms.txt',
} as const

const open = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' }
const cardType = 'application/mcp-server-card+json'
const { description } = serverAbout

/** Returns the files of an origin, such as `https://renown.example.com`. */
export function agentFilesOf(
  origin: string,
  skills: readonly PublishedSkill[],
): Readonly<Record<keyof typeof agentFilePaths, Page>> {
  const { hostname } = new URL(origin)
  const url = `${origin}${agentFilePaths.card}`
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: serverNameOn(hostname),
    ...serverAbout,
    remotes: [
      {
        type: 'streamable-http',
        url: `${origin}/api/mcp`,
        supportedProtocolVersions: ['2025-06-18', '2025-11-25', '2026-07-28'],
      },
    ],
  }
  const catalog = {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:renown`,
        displayName: 'Renown',
        type: cardType,
        url,
        description,
      },
      {
        identifier: `urn:air:${hostname}:skills:renown`,
        displayName: 'Skills of Renown',
        type: 'application/json',
        url: `${origin}${skillPaths.discovery}index.json`,
        description: 'How an assistant does common tasks with the MCP server.',
      },
    ],
  }
  const llms = [
    '# Renown',
    '',
    `> ${description}`,
    '',
    '## Start',
    '',
    `- [MCP server](${origin}/api/mcp): Streamable HTTP, with OAuth or an agent key`,
    `- [Server card](${url}): where to connect, as JSON`,
    `- [OpenAPI](${origin}/openapi.json): every address and schema of the REST API`,
    `- [Reference](${origin}/docs.md): the same to read`,
    `- [Guides](${origin}/docs/guides.md): all documents. Without .md, they are pages for people`,
    '',
    '## Skills',
    '',
    ...skillLines(origin, skills),
    '',
    ...guideLines(origin),
  ]
  return {
    card: publicPageOf(JSON.stringify(card), { ...open, 'content-type': cardType }),
    catalog: publicPageOf(JSON.stringify(catalog), {
      ...open,
      'content-type': 'application/ai-catalog+json',
    }),
    llms: publicPageOf(llms.join('\n'), { ...open, 'content-type': 'text/plain; charset=utf-8' }),
  }
}
