import { version } from '../../process/version'
import type { Product } from '../../product/serve'
import { createSpelling } from '../print/spelling'
import { painter } from '../print/terminal'

type First = NonNullable<Product['first']>
type Demo = NonNullable<Product['demo']>
interface Facts {
  readonly first: First
  readonly demo?: Demo
  readonly apiUrl: string
  readonly ingestUrl: string
  readonly dataDir: string
  readonly documents: string
  readonly columns: string
}

/** Returns the facts of a start for `--json`. They contain secrets only on the first start. */
export const factsOf = ({ first: { isFirst: _, ...made }, demo, apiUrl, ingestUrl }: Facts) => ({
  api_url: apiUrl,
  ingest_url: ingestUrl,
  ...made,
  ...(demo ? { demo } : {}),
})

interface Options {
  readonly colours: boolean
  readonly secrets: boolean
  readonly now: Date
  /** Whether Bun was started by npx, so that commands in messages start with npx too. */
  readonly byNpx: boolean
}

/** Returns the text that a start prints. It shows secrets only on the first start, and only on a terminal. */
export function nextSteps(facts: Facts, options: Options): string {
  const paint = painter(options.colours)
  const { first, apiUrl, ingestUrl } = facts
  const head = [
    '',
    `  ${paint('bold', `Renown ${version}`)} is running. ${paint('dim', 'Ctrl-C stops it.')}`,
    '',
    `  ${paint('dim', 'Gateway')}  ${apiUrl}  ${paint('dim', `reference at ${apiUrl}/docs`)}`,
    `  ${paint('dim', 'Ingest')}   ${ingestUrl}`,
    `  ${paint('dim', 'Data')}     ${facts.dataDir}  ${paint('dim', `${named(facts.documents)}, ${named(facts.columns)}`)}`,
    '',
  ]
  const ofDemo = facts.demo ? [demoStep(facts.demo, facts.apiUrl, options.secrets)] : []
  const ofFirst = options.secrets ? withSecrets(facts, options.now) : withoutSecrets(facts)
  const steps = [...ofDemo, ...(first.isFirst ? ofFirst : [])]
  const body = steps.flatMap(({ title, lines }, place) => [
    `  ${paint('cyan', `${place + 1}`)}  ${paint('bold', title)}`,
    '',
    ...lines.map((line) => `     ${line}`),
    '',
  ])
  const again = [
    `Sign in at ${apiUrl}/app; \`bun renown owner link create\` signs you in without a password.`,
    'The first start printed the agent key; `bun renown key rotate` makes another.',
  ]
  const tail = first.isFirst ? [] : [...again.map((line) => `  ${paint('dim', line)}`), '']
  const spelling = createSpelling({ byNpx: options.byNpx, dataDir: facts.dataDir })
  return [...head, ...[...body, ...tail].map(spelling), ''].join('\n')
}

const names: Readonly<Record<string, string>> = {
  sqlite: 'SQLite',
  mongodb: 'MongoDB',
  chdb: 'chDB',
  clickhouse: 'ClickHouse',
}
const named = (kind: string) => names[kind] ?? kind

interface Step {
  readonly title: string
  readonly lines: readonly string[]
}

function withSecrets({ first, apiUrl, ingestUrl }: Facts, now: Date): Step[] {
  const { agent_key = '', owner_link = '', forwarder_token, site_id } = first
  const signIn: Step = {
    title:
      'Sign in with this link. It works once, within 24 hours. `bun renown owner link create` creates another.',
    lines: [owner_link],
  }
  const keep: Step = {
    title: 'Keep the agent key. It is shown only once; `bun renown key rotate` makes another.',
    lines: [agent_key],
  }
  if (forwarder_token === undefined) return [signIn, keep]
  return [
    signIn,
    keep,
    beacon(first, ingestUrl),
    {
      title: 'Count AI crawlers: send hits, or whole access logs to /v1/logs, with the forwarder token.',
      lines: [
        `curl ${ingestUrl}/v1/hits \\`,
        `  -H 'Authorization: Bearer ${forwarder_token}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${hit(now)}'`,
      ],
    },
    readBack(apiUrl, site_id, agent_key),
    ownWebsite,
  ]
}

function withoutSecrets({ first, apiUrl, ingestUrl }: Facts): Step[] {
  const key: Step = {
    title: 'Get an agent key. It is not printed here, because the output is not a terminal.',
    lines: ['bun renown key rotate --json'],
  }
  const signIn: Step = {
    title: 'Get a one-time sign-in link, and choose a password.',
    lines: ['bun renown owner link create --json'],
  }
  if (first.site_id === undefined) return [signIn, key]
  const token: Step = {
    title: 'Get the forwarder token for sending hits and access logs.',
    lines: [`bun renown site token rotate ${first.site_id} --json`],
  }
  return [
    signIn,
    key,
    beacon(first, ingestUrl),
    token,
    readBack(apiUrl, first.site_id, '<agent key>'),
    ownWebsite,
  ]
}

/** Says on every start that the data of the demo is sample data. */
function demoStep({ agency_id, agent_key }: Demo, apiUrl: string, secrets: boolean): Step {
  const title = 'DEMO DATA is loaded. It is marked (demo). Remove it with `bun renown demo remove`.'
  const key = secrets ? agent_key : undefined
  if (key === undefined) return { title, lines: [`bun renown key rotate --agency-id ${agency_id} --json`] }
  const call = `curl ${apiUrl}/api/entities/Review -H 'Authorization: Bearer ${key}'`
  return { title, lines: [`Its own agent key, shown only once: ${key}`, '', call] }
}

const beacon = ({ site_key }: First, ingestUrl: string): Step => ({
  title: 'Count visits from AI assistants: add the beacon to your pages.',
  lines: [`<script defer src="${ingestUrl}/s/${site_key}.js"></script>`],
})

const readBack = (apiUrl: string, siteId: string | undefined, key: string): Step => ({
  title: 'Read the counts of the day after a few seconds.',
  lines: [
    `curl -G ${apiUrl}/api/entities/AiTrafficDaily \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  --data-urlencode 'q={"site_id":"${siteId}"}'`,
  ],
})

const ownWebsite: Step = {
  title: 'Create a site for your own domain, and import its old logs.',
  lines: [
    'bun renown site create example.com',
    'bun renown log import /var/log/nginx/access.log --site example.com',
  ],
}

/** A sample hit of GPTBot from one of its published addresses. */
const hit = (now: Date) =>
  JSON.stringify({
    ts: now.toISOString(),
    ip: '20.171.206.10',
    method: 'GET',
    path: '/',
    status: 200,
    ua: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  })
