import * as v from 'valibot'
import ordinary from './ordinary-visits.json'
import { trafficCategories } from './traffic-category'

/**
 * The version of the registry that this release contains: a day and a number. Increase it whenever the registry
 * changes. A file of a mirror is used only if its version is higher.
 */
export const releaseRegistryVersion = 2026112801

/** Largest file of a registry in bytes, with its signatures. */
export const registryBytesMax = 512 * 2 ** 10
/** Letters of all tokens together. The search of the ingest has a node for each. */
const lettersMax = 50_000
/** Operators with address lists. The verifier has a bit for each. */
const listOperatorsMax = 32

const text = (pattern: RegExp, accepted: string) => v.pipe(v.string(), v.regex(pattern, accepted))

/** A name that pages show, and that is also searched in user agents. */
const token = text(
  /^[A-Za-z0-9][A-Za-z0-9 ._()/-]{2,62}[A-Za-z0-9]$/,
  'a token of 4 to 64 ASCII letters, digits, spaces or ._()/-',
)
const operator = v.pipe(
  text(/^[A-Za-z0-9][A-Za-z0-9 .&+'-]{1,47}$/, 'a name of 2 to 48 ASCII letters, digits, spaces or .&+-'),
  v.check((name) => !(name in {}), 'a name that JavaScript does not reserve'),
)
const host = v.pipe(v.string(), v.check(isHost, 'a host such as chat.example.com'))
const listUrl = v.pipe(
  v.string(),
  v.maxLength(300),
  v.check(isListUrl, 'an https address of a public host, without a user or a port'),
)
const network = text(/^[0-9a-f.:]{2,45}\/\d{1,3}$/, 'a network such as 192.0.2.0/24')

const agent = v.strictObject({
  name: token,
  operator,
  category: v.picklist(trafficCategories),
  confidence: v.picklist(['documented', 'observed', 'reported', 'legacy']),
  class: v.optional(v.picklist(['ai', 'search_engine', 'robots_only', 'namesake']), 'ai'),
  aliases: v.optional(v.pipe(v.array(token), v.maxLength(16)), []),
  client: v.optional(v.boolean(), false),
  lists: v.optional(v.pipe(v.array(listUrl), v.maxLength(8)), []),
})
const assistant = v.strictObject({
  name: operator,
  operator: v.optional(operator),
  hosts: v.pipe(v.array(host), v.maxLength(16)),
  parts: v.optional(
    v.pipe(
      v.array(text(/^[a-z0-9.-]{4,100}(?:\/[a-z0-9/_-]{1,60}|\?[a-z]{1,20}=[a-z0-9]{1,20})$/, 'host/path')),
      v.maxLength(8),
    ),
    [],
  ),
  utm: v.optional(
    v.pipe(v.array(text(/^[a-z0-9][a-z0-9.-]{1,38}[a-z0-9]$/, 'a source')), v.maxLength(8)),
    [],
  ),
  android: v.optional(
    v.pipe(v.array(text(/^[a-z]\w{0,40}(?:\.\w{1,40}){1,6}$/, 'a package')), v.maxLength(8)),
    [],
  ),
  markers: v.optional(v.pipe(v.array(text(/^[A-Za-z0-9]{4,32}$/, 'a product token')), v.maxLength(8)), []),
})

const shape = v.strictObject({
  format: v.literal(1),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  issued_at: v.pipe(v.string(), v.isoTimestamp()),
  expires_at: v.pipe(v.string(), v.isoTimestamp()),
  lists: v.pipe(
    v.array(
      v.strictObject({
        operator,
        url: listUrl,
        format: v.optional(v.picklist(['json', 'csv', 'page']), 'json'),
      }),
    ),
    v.maxLength(100),
  ),
  documented: v.optional(v.record(operator, v.pipe(v.array(network), v.maxLength(64))), {}),
  agents: v.pipe(v.array(agent), v.minLength(1), v.maxLength(1_000)),
  assistants: v.pipe(v.array(assistant), v.maxLength(200)),
  robots: v.optional(v.pipe(v.array(token), v.maxLength(1_000)), []),
})

/**
 * A registry of agents and assistants. The release contains one, and a mirror can publish newer ones. Its texts may be
 * shown and searched without further checks.
 */
export const agentRegistrySchema = v.pipe(
  shape,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const fault = faultOf(dataset.value)
    if (fault !== null) addIssue({ message: fault })
  }),
)
/** A registry: agents, lists of addresses, assistants, and robots that are not of AI. */
export type AgentRegistry = v.InferOutput<typeof shape>
/** One agent of a registry. */
export type RegistryAgent = AgentRegistry['agents'][number]
/** One assistant of a registry. */
export type RegistryAssistant = AgentRegistry['assistants'][number]

interface Named {
  readonly name: string
  readonly aliases: readonly string[]
  readonly client: boolean
}

/** Returns the tokens that name an agent in user agents. */
export function tokensOfAgent({ name, aliases, client }: Named): readonly string[] {
  // A client variant is recognized only by its longer alias. The bare name belongs to the hosted agent.
  return client && aliases.length > 0 ? aliases : [name, ...aliases]
}

/** Returns what is wrong between the parts of a registry, or null. */
function faultOf({ agents, lists, documented, assistants, robots }: AgentRegistry): string | null {
  const tokens = [...agents.flatMap(tokensOfAgent), ...robots]
  const urls = new Map(lists.map(({ url, operator }) => [url, operator]))
  const operators = new Set([...lists.map((list) => list.operator), ...Object.keys(documented)])
  if (operators.size > listOperatorsMax) return `has address lists of more than ${listOperatorsMax} operators`
  if (tokens.join('').length > lettersMax) return `has tokens with more than ${lettersMax} letters`
  const twice = repeated(tokens.map((each) => each.toLowerCase()))
  if (twice !== undefined) return `has the token ${twice} twice`
  const common = [...tokens, ...assistants.flatMap(({ markers }) => markers)].find(isInBrowsers)
  if (common !== undefined) return `has the token ${common}, which browsers send`
  const stray = agents.find(({ lists: own, operator }) => own.some((url) => urls.get(url) !== operator))
  if (stray) return `lists of ${stray.name} are not among the lists of ${stray.operator}`
  const hosts = assistants.flatMap((each) => each.hosts)
  const again = repeated(hosts)
  if (again !== undefined) return `has the host ${again} twice`
  const busy = hosts.find((each) =>
    ordinary.hosts.some((known) => known === each || known.endsWith(`.${each}`)),
  )
  if (busy !== undefined) return `has the host ${busy}, from which people come without an assistant`
  return null
}

function repeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/** Whether a text is a public host name in lower case, without a port. An IP address is none. */
function isHost(text: string): boolean {
  const labels = text.length > 253 ? [] : text.split('.')
  return labels.length > 1 && labels.every(isLabel) && /^[a-z]{2,24}$/.test(labels.at(-1) ?? '')
}

const isLabel = (label: string) => /^[a-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label)

function isListUrl(written: string): boolean {
  const url = URL.parse(written)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '')
    return false
  return isHost(url.hostname) && !/\.(?:local|localhost|internal|lan|home|arpa)$/.test(url.hostname)
}

/** Whether a token is in the user agents of browsers that people use, between characters that are not letters or digits. */
function isInBrowsers(token: string): boolean {
  const wanted = token.toLowerCase()
  const isWord = (letter: string | undefined) => letter !== undefined && /[a-z0-9]/.test(letter)
  return ordinary.user_agents.some((ua) => {
    for (let at = ua.indexOf(wanted); at !== -1; at = ua.indexOf(wanted, at + 1)) {
      if (!isWord(ua[at - 1]) && !isWord(ua[at + wanted.length])) return true
    }
    return false
  })
}
