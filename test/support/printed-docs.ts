import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorTable } from '../../core/contracts/errors'
import type { SettingDeclarations } from '../../core/contracts/setting'
import { settings } from '../../core/contracts/settings'
import { serverJson } from '../../core/http/server-about'
import type { SurfaceEntity, SurfaceField, SurfaceOperation } from '../../core/registry/surface'
import { type SenderField, senders } from '../../ingest/data/senders'
import { builderPages } from '../../plugins/traffic/senders/sender-pages'
import { integrationFiles } from './integration-files'
import { actsPage } from './printed-acts'
import { limitRows } from './printed-limits'
import { operationsPage } from './printed-operations'
import { suitesPage } from './printed-suites'
import { shippedRegistry, shippedSurface } from './shipped'

/** The documents that are printed from the code: their place and their text. `bun run docs` writes them. */
export function printedDocs(): ReadonlyMap<string, string> {
  const integrations = integrationFiles()
  return new Map([
    ...integrations,
    ['server.json', `${JSON.stringify(serverJson(), null, 2)}\n`],
    ['docs/reference/acts.md', actsPage()],
    ['docs/reference/config.md', configPage()],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['docs/reference/operations.md', operationsPage()],
    ['docs/reference/surface.md', surfacePage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/states.md', statesPage()],
    ['docs/reference/suites.md', suitesPage()],
    ['docs/operators/senders/README.md', sendersPage()],
    ...senders.map(
      ({ page }) => [`docs/operators/senders/${page}.md`, recipeOf(page, integrations)] as const,
    ),
    ...builderPages.map((page) => [`docs/owners/builders/${page}.md`, builderOf(page)] as const),
  ])
}

/** The product's own page shows the same text with a site's address and token in it. */
function recipeOf(page: string, integrations: ReadonlyMap<string, string>): string {
  const source = `plugins/traffic/senders/${page}.md`
  const text = integrations.get(source) ?? readFileSync(join(import.meta.dir, '../..', source), 'utf8')
  return `<!-- Printed from ${source} by \`bun run docs\`. Change that page, not this one. -->\n\n${text}`
}

/** Its links lead to pages of senders, which are beside it on the Install page. */
function builderOf(page: string): string {
  const source = `plugins/traffic/senders/builders/${page}.md`
  const text = readFileSync(join(import.meta.dir, '../..', source), 'utf8').replace(
    /\]\(([\w-]+\.md)\)/g,
    '](../../operators/senders/$1)',
  )
  return `<!-- Printed from ${source} by \`bun run docs\`. Change that page, not this one. -->\n\n${text}`
}

const printed = '<!-- Printed from the code by `bun run docs`. Change the code, not this page. -->\n'

function configPage(): string {
  const rowsOf = (declared: SettingDeclarations) =>
    Object.entries(declared).map(([name, { schema, fallback, description }]) => [
      `\`${name}\``,
      kindOf(schema),
      fallback ? `\`${fallback}\`` : '',
      description,
    ])
  const header = ['Setting', 'Value', 'Default', 'What it does']
  const parts = [...shippedRegistry().plugins.values()].flatMap(({ name, summary, settings: own }) =>
    own ? [`## Plugin ${name}\n\n${summary ?? ''}\n\n${table(header, rowsOf(own.declared))}`] : [],
  )
  return `${printed}
# Settings

Every setting is an environment variable. The product starts without any of them.

${[table(header, rowsOf(settings)), ...parts].join('\n')}`
}

function eventsPage(): string {
  const rows = shippedSurface().events.map(({ name, summary, example }) => [
    `\`${name}\``,
    summary,
    `\`${JSON.stringify(example)}\``,
  ])
  return `${printed}
# Events

What Renown records in the log of a workspace. \`GET /api/events\` lists it, MCP clients poll it with \`events/poll\`, and webhooks send it. Each line has the \`data\` of an example.
[The API](../agents/api.md#events) explains how to read the log.

${table(['Type', 'What happened', 'Data'], rows)}`
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, { status, title, meaning }]) => [
    `\`${code satisfies string as ErrorCode}\``,
    String(status),
    title,
    meaning,
  ])
  return `${printed}
# Errors

Every error is \`application/problem+json\` with \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`code\` and
\`request_id\`. If inputs are invalid, \`errors\` names each one with its \`pointer\`, \`parameter\` or \`header\`.
\`code\` is one of this list:

${table(['Code', 'Status', 'Title', 'Meaning'], rows)}`
}

const fieldNames: Readonly<Record<SenderField, string>> = {
  ts: 'time',
  ip: 'address',
  method: 'method',
  target: 'path',
  host: 'host',
  ua: 'user agent',
  referer: 'referrer',
  status: 'status',
  id: 'id',
  signed: 'signature',
}

function sendersPage(): string {
  const named = (fields: readonly SenderField[]) =>
    Object.entries(fieldNames)
      .flatMap(([field, name]) => (fields.includes(field as SenderField) ? [name] : []))
      .join(', ')
  const rows = senders.map(({ page, title, path, program, checked, documented }) => [
    `[${title}](${page}.md)`,
    `\`${path}\``,
    program ? `${program}: ${named(checked)}` : 'no',
    named(documented),
  ])
  return `${printed}
# Setting up a sender

There is one page for each program and service. Replace \`https://ingest.example.com\` with the public address of your ingest
(\`RENOWN_INGEST_URL\`) and \`<forwarder token>\` with the token of the site. Renown shows it once. \`bun renown site token rotate\`
creates a new one. [Sending access logs](../logs.md) describes what to send, and what Renown does with it.

Put the token where the sender allows it: \`Authorization: Bearer\`, the password of basic authentication, Firehose's access key, or
\`?token=\` in the address. An address with a token is a secret. The ingest never logs it.

The table shows how we tested each sender. “No” means that we had no account or program. We then followed its documentation, and real
records may differ. Tell us if they do.

${table(['Sender', 'Posts to', 'Tested with the real program', 'Known from documentation only'], rows)}
A test follows the pages of nginx, Apache httpd, Caddy, HAProxy, syslog-ng and rsyslog exactly, with the programs of Debian 12.
It sends 100,000 lines with each, through outages, restarts, kills, rotations, a burst and a first start on an existing log. Each line is
counted once. Another test follows the pages of lighttpd, Varnish and ingress-nginx with the shipper, whose own test has the same events.

Other tests run apps with Next.js, Express, Fastify, Hono, Django, Rails and Laravel, with the files of their pages. They go through an outage,
lost answers, an ingest that hangs and a kill. Every page comes without an error and without a delay. No hit is counted twice. After a kill,
only hits that an app had in its memory are missing. The file for Next.js drops a hit after three tries. The files for Cloudflare, Vercel and Netlify run in small stand-ins of those platforms.

On the other pages, the statements about lost lines come from the documentation of those programs and services.
`
}

function statesPage(): string {
  const registry = shippedRegistry()
  const sections = [...registry.states]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, machine]) => {
      const rows = Object.entries(machine.moves).map(([state, to]) => [
        `\`${state}\`${machine.initial.includes(state) ? ' (initial)' : ''}`,
        codes(to) || 'nothing (final)',
        codes(machine.needs?.[state]),
        codes([machine.stamps?.every, (machine.stamps as Record<string, string> | undefined)?.[state]]),
        codes(machine.clears?.[state]),
      ])
      const not_yet = registry.notYetOf('entity', machine.entity)
      const lack = not_yet === undefined ? '' : lacking({ not_yet })
      return `## ${name}\n\n${lack}${table(['State', 'Moves to', 'Needs', 'Stamps', 'Clears on leaving'], rows)}`
    })
  return `${printed}
# States

This page lists every state of a record and the moves between them. Each change goes through one function. No operation changes a
state. Renown refuses every other move with \`conflict\`.

${sections.join('\n')}`
}

const codes = (names: readonly (string | undefined)[] = []) =>
  names.flatMap((name) => (name === undefined ? [] : [`\`${name}\``])).join(', ')

function limitsPage(): string {
  const rows = limitRows()
  return `${printed}
# Limits

Above a limit, Renown answers 429 with \`Retry-After\`. \`docs/reference/config.md\` has the default of each setting. Each process counts limits per
minute itself. Daily limits count in the store, for all processes together.

## What counts against which limit

A call over MCP counts like the same call over REST. Its request also counts against \`mcp-requests\`.

${table(['What a caller does', 'Counts against'], rows.charges)}
## The limits

${table(['Limit', 'Setting', 'Window', 'Counted for each'], rows.limits)}`
}

function surfacePage(): string {
  const { version, entities, operations } = shippedSurface()
  return `${printed}
# The callable surface

Interface version ${version}. Nothing else can be called. \`GET /api/surface\` returns the same as JSON for the caller.
\`GET /openapi.json\` returns it as OpenAPI 3.1, without a credential.

Texts of fields with \`(ours)\` are written by Renown. So are those with \`(code)\`, if they are one word. Anybody may have written the
other texts of answers, so tools mark them for agents. \`GET /api/surface\` says it as \`words\` of a field, and OpenAPI as \`x-renown-words\` of a
schema, also inside of objects and lists.

## Entities

${entities.map(entitySection).join('\n')}
## Operations

${operations.map(operationSection).join('\n')}`
}

function entitySection(entity: SurfaceEntity): string {
  const left = [
    ...Object.entries(entity.default_except).map(
      ([field, value]) => `\`${field}: ${value}\` unless \`q\` names it`,
    ),
    ...entity.always_except_set.map((field) => `rows with a \`${field}\`, always`),
  ]
  const rows = entity.fields.map((field) => [
    `\`${field.name}\``,
    typeOf(field),
    [
      field.filter === 'none' ? 'not filtered' : '',
      field.filter === 'search' ? 'search' : '',
      field.sortable && 'sort',
    ]
      .filter(Boolean)
      .join(', '),
    field.description ?? '',
  ])
  const usual = entity.usual_q ? ` Figures count \`${JSON.stringify(entity.usual_q)}\`.` : ''
  return `### ${entity.name}

${lacking(entity)}${leaving(entity)}${entity.summary}. Reads: ${entity.reads.join(', ')}. Order: \`${entity.default_sort}\`. Periods: \`${entity.period_field}\`.${left.length > 0 ? ` Lists leave out ${left.join('; ')}.` : ''}${usual}

${table(['Field', 'Type', 'Filter and sort', 'Meaning'], rows)}`
}

function operationSection(operation: SurfaceOperation): string {
  const across = operation.cross_agency === 'allowed' ? 'may cross agencies' : 'own agency only'
  const part = (title: string, fields: readonly SurfaceField[]) =>
    fields.length === 0
      ? `${title}: nothing.\n`
      : table(
          [title, 'Type', 'Meaning'],
          fields.map((field) => [`\`${field.name}\``, typeOf(field), field.description ?? '']),
        )
  return `### ${operation.name}

${lacking(operation)}${leaving(operation)}${operation.summary}. Class \`${operation.class}\`, ${across}.

${part('Input', operation.input)}
${part('Output', operation.output)}`
}

const lacking = ({ not_yet }: Pick<SurfaceEntity, 'not_yet'>) =>
  not_yet === undefined ? '' : `**Not yet:** ${not_yet}\n\n`

const leaving = ({ deprecated }: Pick<SurfaceEntity, 'deprecated'>) =>
  deprecated
    ? `Deprecated since ${deprecated.since}, may be gone from ${deprecated.sunset}. Use instead: ${deprecated.use}.\n\n`
    : ''

function typeOf(field: SurfaceField): string {
  const type = field.values ? field.values.map((value) => `\`${value}\``).join(' ') : field.type
  return [
    type,
    field.words && `\`(${field.words})\``,
    field.nullable && 'or null',
    field.optional && '(optional)',
    field.deprecated && `(deprecated, may be gone from ${field.deprecated.sunset})`,
  ]
    .filter(Boolean)
    .join(' ')
}

interface Step {
  readonly type: string
  readonly message?: string
  readonly pipe?: readonly Step[]
}

/** What a setting takes, told from its schema. */
function kindOf(schema: object): string {
  if ('options' in schema) return (schema.options as string[]).map((option) => `\`${option}\``).join(' or ')
  if (!('pipe' in schema)) return 'text'
  const steps = (schema.pipe as Step[]).flatMap((step) => step.pipe ?? [step])
  const regex = steps.find((step) => step.type === 'regex')
  if (regex) return regex.message ?? 'text'
  if (steps.some(({ type }) => type === 'transform')) return 'comma-separated list'
  return steps.find(({ type }) => type === 'check')?.message ?? 'text'
}

/** A Markdown table; bars inside cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}
