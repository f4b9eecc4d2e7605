import { examinedMax } from '../contexts/breadth'
import type { Deprecation } from '../contracts/deprecation'
import { errorTable } from '../contracts/errors'
import { filterBounds, filterOperators } from '../query/filter'
import { listBounds } from '../query/parse'
import {
  type Surface,
  type SurfaceEntity,
  type SurfaceField,
  type SurfaceOperation,
  writesOf,
} from '../registry/surface'
import type { Policy } from '../requests/limit-table'
import { docsStyle } from './docs-style'

const styleDigest = new Bun.CryptoHasher('sha256').update(docsStyle).digest('base64')

/** The page has no script and makes no requests. Its only style sheet is allowed by digest. */
export const docsPolicy = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

interface PageInput {
  readonly surface: Surface
  readonly policies: Readonly<Record<string, Policy>>
  readonly apiUrl: string
}

/** Returns the reference page, generated from the registry. */
export function docsPage({ surface, policies, apiUrl }: PageInput): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Renown API ${esc(surface.version)}</title>
<style>${docsStyle}</style>
</head>
<body>
${docsBody({ surface, policies, apiUrl })}
</body>
</html>
`
}

/** Returns the body of the reference page. */
export function docsBody({ surface, policies, apiUrl }: PageInput): string {
  const { entities, operations } = surface
  return `<div class="reference">
<header>
<h1>Renown API</h1>
<p><a href="/app">Open the app</a></p>
<p>Read reputation data, and make the few writes that are safe: ${esc(writesOf(operations))}.</p>
<p class="facts">Version ${esc(surface.version)} · <code>${esc(apiUrl)}</code> · <a href="/openapi.json">openapi.json</a> · <a href="/docs.md">Markdown</a> · <a href="/docs/guides">guides</a></p>
</header>
<div class="cols">
${contents(entities, operations)}
<main class="prose">
${start(apiUrl)}
${reading()}
<section><h2 id="records">Records</h2>
${entities.map(record).join('\n') || '<p class="muted">No record type is offered.</p>'}
</section>
<section><h2 id="operations">Operations</h2>
<p>Called by <code>POST /api/functions/&lt;name&gt;</code> with a JSON object. An empty body is <code>{}</code>; a field that is
not listed is refused. Every operation that writes takes an <code>Idempotency-Key</code> header (24 hours) and
<code>dry_run: true</code>, which answers what would be written and writes nothing.</p>
${operations.map(operation).join('\n') || '<p class="muted">No operation is offered.</p>'}
</section>
${limitsSection(policies)}
${errorsSection()}
</main>
</div>
</div>`
}

function contents(entities: readonly SurfaceEntity[], operations: readonly SurfaceOperation[]): string {
  const links = (items: readonly { href: string; text: string }[]) =>
    `<ul>${items.map(({ href, text }) => `<li><a href="#${esc(href)}">${esc(text)}</a></li>`).join('')}</ul>`
  const chapters = [
    { href: 'start', text: 'Start' },
    { href: 'workspaces', text: 'Workspaces' },
    { href: 'lists', text: 'Lists and paging' },
    { href: 'filters', text: 'Filters' },
    { href: 'limits', text: 'Limits' },
    { href: 'errors', text: 'Errors' },
  ]
  const list = `${links(chapters)}
<b>Records</b>${links(entities.map(({ name }) => ({ href: name, text: name })))}
<b>Operations</b>${links(operations.map(({ name }) => ({ href: name, text: name })))}`
  // Without a script, a list cannot change with the width. So it is in the page twice: folded for phones, and
  // open next to the text.
  return `<nav aria-label="Contents"><details class="narrow"><summary>Contents</summary>${list}</details><div class="wide">${list}</div></nav>`
}

const start = (apiUrl: string) => `<section><h2 id="start">Start</h2>
<p>Every request under <code>/api</code> carries a bearer token. Cookies are never read. A missing, revoked or unknown token is
answered 401 with a <code>WWW-Authenticate</code> challenge, before any other check.</p>
<pre><code>curl ${esc(apiUrl)}/api/entities/Workspace \\
  -H "Authorization: Bearer $RENOWN_KEY"</code></pre>
<p>The agency's owner makes the key with <code>renown key rotate</code>. It is shown once; rotating ends the old key.</p>
<h3 id="workspaces">Workspaces</h3>
<p><code>X-Workspace-Id</code> selects the workspace; without it the account's home workspace is read. A workspace that the
credential cannot read is refused with 403, the same whether it exists or not. Ids do not cross workspaces.</p>
</section>`

const reading = () => `<section><h2 id="lists">Lists and paging</h2>
<p><code>GET /api/entities/&lt;Record&gt;</code> answers a bare JSON array, <code>GET /api/entities/&lt;Record&gt;/{id}</code> one object.</p>
<dl>
${entry('q', 'JSON object', 'The filter. See below.')}
${entry('sort', 'text', `Up to ${listBounds.sortKeys} sortable fields, comma separated; <code>-field</code> descends. Rows without a value come last.`)}
${entry('limit', `1–${listBounds.limitMax}`, `Default ${listBounds.limitDefault}. A larger value is reduced to it, and <code>X-Limit-Applied</code> shows the limit that was used.`)}
${entry('skip', `0–${listBounds.skipMax.toLocaleString('en')}`, 'Rows to skip.')}
${entry('cursor', 'text', '<code>X-Next-Cursor</code> of the previous page, with the same sort. No row is repeated or left out.')}
${entry('fields', 'names', 'Only these fields, comma separated.')}
${entry('count', '1', 'Adds <code>X-Total-Count</code>.')}
</dl>
<p>Answers tell <code>X-Has-More</code>, and where rows follow <code>X-Next-Cursor</code> and <code>Link: …; rel="next"</code>. An
<code>ETag</code> sent back in <code>If-None-Match</code> is answered 304 while nothing changed. Clients must tolerate fields and
enum values that they do not know.</p>
<h2 id="filters">Filters</h2>
<p><code>q</code> is a JSON object: keys are fields, values the matches required. An array means any of its values, <code>null</code>
means null or missing. Dots reach into declared objects.</p>
<pre><code>q={"stage":["new","contacted"],"intent_score":{"$gte":60}}</code></pre>
<p>Compare: ${codes(filterOperators.compare)}. Join: ${codes(filterOperators.join)}. Everything else is refused.
<code>$contains</code> and <code>$startsWith</code> are literal, ignore case, and work on fields marked <em>search</em>.</p>
<p class="muted">At most ${filterBounds.bytes.toLocaleString('en')} bytes, ${filterBounds.leaves} comparisons, depth ${filterBounds.depth},
${filterBounds.listValues} values in a list. A filter that would examine more than ${examinedMax.toLocaleString('en')} rows is refused.</p>
</section>`

function record(entity: SurfaceEntity): string {
  const paths = [
    ...(entity.reads.includes('list') ? [`GET /api/entities/${entity.name}`] : []),
    ...(entity.reads.includes('get') ? [`GET /api/entities/${entity.name}/{id}`] : []),
  ]
  const except = Object.entries(entity.default_except).map(
    ([name, value]) => `<code>${esc(name)}: ${esc(String(value))}</code>`,
  )
  const left = except.length
    ? ` Lists leave out ${except.join(', ')} unless <code>q</code> names the field.`
    : ''
  const always = entity.always_except_set.length
    ? ` Rows with a value in ${codes(entity.always_except_set)} are read by id only.`
    : ''
  return `<details class="item"><summary><strong>${esc(entity.name)}</strong><span>${esc(entity.summary)}</span></summary><div id="${esc(entity.name)}">
<pre><code>${paths.map(esc).join('\n')}</code></pre>
${lacking(entity)}${leaving(entity)}<p class="muted">Sorted by <code>${esc(entity.default_sort)}</code> unless asked otherwise. Periods are about <code>${esc(entity.period_field)}</code>.${left}${always}</p>
<dl>${entity.fields.map(field).join('')}</dl>
</div></details>`
}

function operation(one: SurfaceOperation): string {
  const write = one.scope === 'write'
  const reach =
    one.cross_agency === 'allowed' ? 'A platform credential may call it for any agency.' : 'Own agency only.'
  return `<details class="item"><summary><strong>${esc(one.name)}</strong><em class="tag${write ? ' write' : ''}">${esc(one.class)}</em><span>${esc(one.summary)}</span></summary><div id="${esc(one.name)}">
<pre><code>POST /api/functions/${esc(one.name)}</code></pre>
${lacking(one)}${leaving(one)}<p class="muted">${reach}</p>
<h3>Takes</h3>
${one.input.length ? `<dl>${one.input.map(field).join('')}</dl>` : '<p class="muted">An empty object.</p>'}
<h3>Answers</h3>
<dl>${one.output.map(field).join('')}</dl>
</div></details>`
}

function field(one: SurfaceField): string {
  const type = one.element ? `array of ${one.element}` : one.type
  const notes = [
    one.nullable ? `${type} or null` : type,
    ...(one.optional ? ['optional'] : []),
    ...(one.sortable ? ['sort'] : []),
    ...(one.filter === 'search' ? ['search'] : []),
    ...(one.filter === 'none' ? ['no filter'] : []),
    ...(one.deprecated ? [`deprecated, may be gone from ${one.deprecated.sunset}`] : []),
  ]
  const values = one.values?.length ? `<dd class="values">${codes(one.values.map(String))}</dd>` : ''
  const inner = one.fields?.length
    ? `<dd><details class="inner"><summary>${one.fields.length} fields inside</summary><dl>${one.fields.map(field).join('')}</dl></details></dd>`
    : ''
  return `<div><dt><code>${esc(one.name)}</code><span>${notes.map(esc).join(' · ')}</span></dt><dd>${prose([one.description ?? '', instead(one)].filter(Boolean).join(' '))}</dd>${values}${inner}</div>`
}

interface Announced {
  readonly deprecated?: Deprecation
}
const lacking = ({ not_yet }: Pick<SurfaceEntity, 'not_yet'>) =>
  not_yet === undefined ? '' : `<p><strong>Not yet.</strong> ${esc(not_yet)}</p>\n`
const instead = ({ deprecated }: Announced) => (deprecated ? `Use instead: ${deprecated.use}.` : '')
const leaving = (one: Announced) =>
  one.deprecated
    ? `<p><strong>Deprecated since ${esc(one.deprecated.since)}, may be gone from ${esc(one.deprecated.sunset)}.</strong> ${prose(instead(one))}</p>\n`
    : ''

const limitsSection = (policies: Readonly<Record<string, Policy>>) => `<section><h2 id="limits">Limits</h2>
<p>Every answer under <code>/api</code> carries <code>RateLimit-Policy</code> and <code>RateLimit</code>. Over a limit: 429 with
<code>Retry-After</code>.</p>
<dl>${Object.values(policies)
  .map(({ name, quota, windowSeconds }) =>
    entry(name, `${quota.toLocaleString('en')} ${windowSeconds === 60 ? 'a minute' : 'a day'}`, ''),
  )
  .join('')}</dl></section>`

const errorsSection = () => `<section><h2 id="errors">Errors</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457): <code>type</code>, <code>title</code>, <code>status</code>,
<code>detail</code>, <code>instance</code>, <code>code</code>, <code>request_id</code>, and where it helps <code>errors</code> and
<code>hint</code>. The codes are a closed list.</p>
<dl>${Object.entries(errorTable)
  .map(([code, { status, meaning }]) => entry(code, String(status), prose(meaning), code))
  .join('')}</dl></section>`

const entry = (name: string, note: string, html: string, id?: string) =>
  `<div${id ? ` id="${esc(id)}"` : ''}><dt><code>${esc(name)}</code><span>${esc(note)}</span></dt><dd>${html}</dd></div>`

const codes = (names: readonly string[]) => names.map((name) => `<code>${esc(name)}</code>`).join(' ')

/** Returns escaped text in which backticks mark code. */
const prose = (text: string) => esc(text).replace(/`([^`]+)`/g, '<code>$1</code>')

function esc(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
