import { oneLine } from 'renown'
import { jsonBounds, parseForeignJson } from 'renown/sources'
import { aiAgents } from './aiAgents'

/** The structured data of a page. */
export interface PageFacts {
  /** Directives for robots: for all, or for one by name. */
  readonly robots: readonly RobotsWord[]
  readonly json_ld: { readonly blocks: number; readonly unreadable: number }
  /** Types of schema.org and similar vocabularies, in JSON-LD and microdata. */
  readonly types: readonly string[]
  readonly has_title: boolean
  readonly has_description: boolean
  /** Keys of scripts that could be Renown's. */
  readonly script_keys: readonly string[]
}

/** Directives in a meta element or header, such as `noindex`, for one robot or for all (`robots`). */
export interface RobotsWord {
  readonly robot: string
  readonly directives: readonly string[]
}

const ldBytesMax = 512 * 1024
const wordsMax = 20
const keysMax = 20
const ownScript = /\/s\/(rnw_site_[\w-]{1,100})\.js$/
const robotNames = new Set(['robots', ...aiAgents.map(({ agent }) => agent.toLowerCase())])

/** Reads an untrusted page. Runs nothing, and keeps only short parts. */
export async function readPage(html: Uint8Array, url: string): Promise<PageFacts> {
  const words: RobotsWord[] = []
  const types = new Set<string>()
  const keys = new Set<string>()
  const blocks: string[] = []
  const has = { title: false, description: false }
  let room = ldBytesMax
  let isLd = false
  const reading = new HTMLRewriter()
    .on('meta[name]', {
      element(element) {
        const name = (element.getAttribute('name') ?? '').trim().toLowerCase()
        const content = element.getAttribute('content') ?? ''
        if (name === 'description') has.description ||= content.trim() !== ''
        if (robotNames.has(name) && words.length < wordsMax)
          words.push({ robot: name, directives: directivesIn(content) })
      },
    })
    .on('title', {
      text({ text }) {
        has.title ||= text.trim() !== ''
      },
    })
    .on('[itemtype]', {
      element: (element) => addTypes(types, element.getAttribute('itemtype')?.split(/\s+/, 5)),
    })
    .on('script', {
      element(element) {
        isLd = /^\s*application\/ld\+json\b/i.test(element.getAttribute('type') ?? '')
        if (isLd) blocks.push('')
        const src = URL.parse(element.getAttribute('src') ?? '', url)
        const key = ownScript.exec(src?.pathname ?? '')?.[1]
        if (key !== undefined && keys.size < keysMax) keys.add(key)
      },
      text({ text }) {
        if (!isLd || room < text.length) return
        room -= text.length
        blocks.push((blocks.pop() ?? '') + text)
      },
    })
  await reading.transform(new Response(html as Uint8Array<ArrayBuffer>)).arrayBuffer()
  const read = blocks.map(parsed)
  for (const block of read) addTypes(types, typesIn(block))
  return {
    robots: words,
    json_ld: { blocks: blocks.length, unreadable: read.filter((one) => one === undefined).length },
    types: [...types],
    has_title: has.title,
    has_description: has.description,
    script_keys: [...keys],
  }
}

/** Returns the directives of an `X-Robots-Tag` header, with the robot that each applies to. */
export function robotsHeader(header: string | null): RobotsWord[] {
  const byRobot = new Map<string, string[]>()
  let robot = 'robots'
  for (const part of (header ?? '').slice(0, 4_000).split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const isNamed = robotNames.has(name)
    if (isNamed) robot = name
    const known = byRobot.get(robot) ?? []
    byRobot.set(robot, [...known, ...directivesIn(isNamed ? part.slice(colon + 1) : part)].slice(0, wordsMax))
  }
  return [...byRobot]
    .map(([name, directives]) => ({ robot: name, directives }))
    .filter(({ directives }) => directives.length > 0)
}

const directivesIn = (text: string): string[] =>
  text
    .slice(0, 1_000)
    .split(',', wordsMax)
    .map((part) => oneLine(part, 60).toLowerCase())
    .filter((part) => part !== '')

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text, jsonBounds)
  } catch {
    return undefined
  }
}

const typesMax = 30

function addTypes(types: Set<string>, found: readonly string[] = []): void {
  for (const one of found) {
    const name = one.replace(/^https?:\/\/(www\.)?schema\.org\/|^schema:/i, '')
    if (types.size < typesMax && /^[A-Za-z]\w{0,60}$/.test(name)) types.add(name)
  }
}

const nodesMax = 2_000

/** Returns every `@type` in a block of JSON-LD. */
function typesIn(block: unknown): string[] {
  const found: string[] = []
  const waiting: unknown[] = [block]
  for (let seen = 0; seen < nodesMax && waiting.length > 0; seen++) {
    const node = waiting.shift()
    if (typeof node !== 'object' || node === null) continue
    for (const [name, value] of Object.entries(node).slice(0, nodesMax)) {
      if (name !== '@type') waiting.push(value)
      else found.push(...[value].flat(1).filter((one) => typeof one === 'string'))
    }
  }
  return found
}
