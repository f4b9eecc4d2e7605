import type { ConnectionDeclaration } from '../contracts/connection'
import type { EntityDeclaration, IndexDeclaration } from '../contracts/entity'
import type { AnyEventType } from '../contracts/event-type'
import type { AnyExtensionPoint, Provided } from '../contracts/extension'
import { type IconName, iconNames } from '../contracts/icons'
import type { OperationDeclaration } from '../contracts/operation'
import type { PageDeclaration } from '../contracts/page'
import type {
  CommandDeclaration,
  FeedDeclaration,
  JobDeclaration,
  MigrationDeclaration,
  PluginDeclaration,
  PromptDeclaration,
  TableDeclaration,
} from '../contracts/plugin'
import type { PublicPageDeclaration } from '../contracts/public-page'
import type { QueueDeclaration } from '../contracts/queue'
import type { ReceiverDeclaration } from '../contracts/receiver'
import type { StateMachine } from '../contracts/states'
import type { UploadDeclaration } from '../contracts/upload'
import { isPhrase } from '../contracts/words'
import { nearest } from '../kit/suggest'

/** The valid part of a plugin, and its faults. */
interface CheckedPlugin {
  readonly sound: PluginDeclaration
  readonly faults: readonly string[]
}

/**
 * Returns what is malformed in a plugin's declaration, and the declaration without it. A plugin in plain JavaScript
 * has no compiler, so a misspelt key such as `hiden` must be reported, not ignored.
 */
export function checkPluginShape(given: unknown): CheckedPlugin {
  if (!isMap(given)) return { sound: { name: 'unnamed', renown: '*' }, faults: ['A plugin is not an object'] }
  const at = typeof given.name === 'string' ? given.name : 'A plugin without a name'
  const faults = shapeFaults(at, 'plugin', given)
  const sound: Record<string, unknown> = { ...given }
  if (typeof given.name !== 'string') sound.name = 'unnamed'
  for (const [key, form] of Object.entries(forms.plugin)) {
    if (key in given && !fits(form, given[key])) delete sound[key]
  }
  for (const [key, kind] of Object.entries(parts)) {
    const { [key]: held } = sound
    if (!isMap(held) && !Array.isArray(held)) continue
    const kept = Object.entries(held).filter(([name, part]) => {
      const found = partFaults(at, kind, labelOf(key, name, part), part)
      faults.push(...found)
      return found.length === 0 || isReadable(kind, part)
    })
    sound[key] = Array.isArray(held) ? kept.map(([, part]) => part) : Object.fromEntries(kept)
  }
  return { sound: faults.length === 0 ? (given as never) : (sound as never), faults }
}

/** Whether an operation can be checked further, because its schemas are schemas. */
const isReadable = (kind: Kind, part: unknown) =>
  kind === 'operation' &&
  isMap(part) &&
  fits('map?', part.input) &&
  fits('map?', part.output) &&
  fits('notice?', part.deprecated)

type Kind = keyof typeof forms
type Known = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Known =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isWording = (value: unknown) => isText(value) || isPhrase(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isNav = (value: unknown) =>
  isMap(value) &&
  isWording(value.label) &&
  Number.isFinite(value.order) &&
  [undefined, ...iconNames].includes(value.icon as IconName | undefined) &&
  [undefined, 'daily', 'setup', 'settings'].includes(value.group as string | undefined) &&
  [undefined, true, false].includes(value.onPhones as boolean | undefined) &&
  (value.count === undefined || typeof value.count === 'function') &&
  Object.keys(value).every((key) => ['label', 'order', 'icon', 'group', 'onPhones', 'count'].includes(key))
const isNoneOrOwner = (value: unknown) => value === undefined || value === 'owner'
const indexForms: Readonly<Record<keyof Required<IndexDeclaration>, (value: unknown) => boolean>> = {
  on: isTexts,
  unique: (value) => typeof value === 'boolean',
  unsafeUniqueAcrossTenants: (value) => value === true,
  where: (value) => isMap(value),
  ttlSeconds: (value) => Number.isFinite(value),
}
const isIndex = (value: unknown) =>
  isMap(value) &&
  'on' in value &&
  Object.entries(value).every(([key, part]) => indexForms[key as keyof typeof indexForms]?.(part) === true)
const isSchema = (value: unknown) => isMap(value) && value.kind === 'schema'

const checks = {
  text: [isText, 'a text'],
  texts: [isTexts, 'a list of texts'],
  wording: [isWording, 'a text, or a phrase of defineWords'],
  words: [
    (value) => typeof value === 'function' && isMap((value as { catalog?: unknown }).catalog),
    'made by defineWords',
  ],
  list: [Array.isArray, 'a list'],
  map: [isMap, 'an object'],
  schema: [isSchema, 'a valibot schema'],
  schemas: [(value) => isMap(value) && Object.values(value).every(isSchema), 'an object of valibot schemas'],
  scope: [(value) => isMap(value) && isText(value.by) && isText(value.field), '{ by, field }'],
  indexes: [
    (value) => Array.isArray(value) && value.every(isIndex),
    'a list of { on: [field, …], unique?, unsafeUniqueAcrossTenants?, where?, ttlSeconds? }',
  ],
  moves: [(value) => isMap(value) && Object.values(value).every(isTexts), 'an object of lists of states'],
  notice: [
    (value) => isMap(value) && [value.since, value.sunset, value.use].every(isText),
    '{ since, sunset, use }',
  ],
  takes: [
    (value) => isMap(value) && Object.values(value).every((one) => isMap(one) && isText(one.description)),
    'an object of { description, required? }',
  ],
  url: [(value) => value instanceof URL, "a URL, such as new URL('./page.tsx', import.meta.url)"],
  only: [(value) => value === 'owner', "'owner'"],
  yes: [(value) => value === true, 'true'],
  nav: [isNav, '{ label, order, icon?, group?, onPhones?, count? } with an icon of iconNames'],
  actions: [
    (value) =>
      isMap(value) &&
      Object.values(value).every(
        (one) =>
          isMap(one) &&
          isSchema(one.input) &&
          isText(one.auth) &&
          isNoneOrOwner(one.only) &&
          typeof one.run === 'function',
      ),
    'an object of { input, auth, only?, run }',
  ],
  settings: [
    (value) =>
      isMap(value) &&
      typeof value.of === 'function' &&
      isMap(value.declared) &&
      Object.values(value.declared).every(
        (one) => isMap(one) && isSchema(one.schema) && isText(one.fallback) && isText(one.description),
      ),
    'made by defineSettings',
  ],
  functions: [
    (value) => isMap(value) && Object.values(value).every((one) => typeof one === 'function'),
    'an object of functions',
  ],
  proposal: [
    (value) =>
      isMap(value) &&
      isText(value.label) &&
      isTexts(value.takes) &&
      typeof value.prepare === 'function' &&
      typeof value.run === 'function',
    '{ label, takes, prepare, run }',
  ],
  number: [(value) => Number.isFinite(value), 'a number'],
  function: [(value) => typeof value === 'function', 'a function'],
  any: [() => true, ''],
} as const satisfies Record<string, readonly [(value: unknown) => boolean, string]>

type Check = keyof typeof checks
/** A `?` at the end means that it is optional. */
type Form = Check | `${Check}?`
type Forms<T> = Readonly<Record<keyof Required<T>, Form>>

const forms = {
  plugin: {
    name: 'text',
    summary: 'text?',
    notYet: 'text?',
    renown: 'text',
    needs: 'texts?',
    demo: 'map?',
    entities: 'list?',
    operations: 'list?',
    reads: 'list?',
    states: 'list?',
    commands: 'list?',
    prompts: 'list?',
    pages: 'list?',
    subscribers: 'functions?',
    reactions: 'functions?',
    jobs: 'map?',
    queues: 'map?',
    feeds: 'map?',
    tables: 'list?',
    migrations: 'list?',
    settings: 'settings?',
    extensionPoints: 'list?',
    provides: 'list?',
    connections: 'list?',
    receivers: 'map?',
    publicPages: 'map?',
    uploads: 'map?',
    events: 'list?',
  } satisfies Forms<PluginDeclaration>,
  entity: {
    name: 'text',
    summary: 'text',
    idPrefix: 'text',
    store: 'text',
    scope: 'scope',
    reads: 'texts',
    fields: 'schemas',
    hidden: 'texts?',
    personal: 'texts?',
    opaque: 'texts?',
    searchable: 'texts?',
    immutable: 'texts?',
    seldom: 'texts?',
    sortable: 'texts',
    defaultSort: 'text?',
    indexes: 'indexes?',
    except: 'map?',
    exceptSet: 'texts?',
    usual: 'list?',
    periodField: 'text?',
    shared: 'texts?',
    readableByPlugins: 'texts?',
    counts: 'map?',
    namedIn: 'map?',
    deprecated: 'notice?',
  } satisfies Forms<EntityDeclaration>,
  // Class, rule and run have their own, more specific messages.
  operation: {
    name: 'text',
    summary: 'text',
    class: 'any',
    crossAgency: 'any',
    run: 'any',
    input: 'map?',
    output: 'map?',
    seldom: 'texts?',
    deprecated: 'notice?',
    shorten: 'function?',
    inside: 'function?',
  } satisfies Forms<OperationDeclaration>,
  read: { name: 'text', fields: 'schemas' },
  states: {
    entity: 'text',
    field: 'text',
    initial: 'texts',
    moves: 'moves',
    stamps: 'map?',
    needs: 'map?',
    clears: 'map?',
  } satisfies Forms<StateMachine>,
  command: {
    name: 'text',
    summary: 'text',
    input: 'schema',
    positional: 'texts?',
    secrets: 'texts?',
    isBad: 'function?',
    faultsIn: 'function?',
    run: 'function',
    proposal: 'proposal?',
  } satisfies Forms<CommandDeclaration>,
  job: {
    summary: 'text',
    everyMs: 'number',
    run: 'function',
    includesInactive: 'yes?',
  } satisfies Forms<JobDeclaration>,
  queue: {
    summary: 'text',
    payload: 'schema',
    attemptsMax: 'number?',
    atOnce: 'number?',
    run: 'function',
    onDeadLetter: 'function?',
    buried: 'function?',
  } satisfies Forms<QueueDeclaration>,
  prompt: {
    name: 'text',
    summary: 'text',
    takes: 'takes?',
    text: 'function',
  } satisfies Forms<PromptDeclaration>,
  page: {
    path: 'text',
    title: 'wording',
    words: 'words?',
    nav: 'nav?',
    module: 'url',
    load: 'function',
    download: 'function?',
    only: 'only?',
    actions: 'actions?',
    events: 'functions?',
    style: 'text?',
    isStatic: 'yes?',
    width: 'any',
    record: 'map?',
    cards: 'map?',
    titleOf: 'function?',
    headOf: 'function?',
    submit: 'map?',
    notices: 'map?',
    files: 'map?',
  } satisfies Forms<PageDeclaration>,
  feed: { summary: 'text', takes: 'schema?', run: 'function' } satisfies Forms<FeedDeclaration>,
  receiver: {
    summary: 'text',
    find: 'function',
    receive: 'function',
  } satisfies Forms<ReceiverDeclaration>,
  upload: { summary: 'text', type: 'text', load: 'function' } satisfies Forms<UploadDeclaration>,
  'public page': {
    summary: 'text',
    find: 'function',
    page: 'map?',
    files: 'map?',
  } satisfies Forms<PublicPageDeclaration>,
  table: {
    name: 'text',
    columns: 'map',
    engine: 'text',
    orderBy: 'texts',
    partitionBy: 'text?',
    ttl: 'text?',
    settings: 'map?',
    within: 'map?',
  } satisfies Forms<TableDeclaration>,
  point: {
    id: 'text',
    summary: 'text',
    contract: 'schema',
    with: 'function',
    nameOf: 'function',
    isOptional: 'any',
  } satisfies Forms<AnyExtensionPoint>,
  connection: {
    provider: 'text',
    label: 'text',
    order: 'number',
    account: 'map',
    addedVia: 'any',
    consent: 'map?',
    tokenFile: 'map?',
    renew: 'function?',
    locations: 'function?',
    limits: 'function?',
  } satisfies Forms<ConnectionDeclaration>,
  event: { name: 'text', summary: 'text', data: 'schema', example: 'map' } satisfies Forms<AnyEventType>,
  provided: { point: 'text', extension: 'map', isOptional: 'yes?' } satisfies Forms<Provided>,
  migration: { version: 'any', summary: 'text', up: 'function' } satisfies Forms<MigrationDeclaration>,
} as const satisfies Record<string, Readonly<Record<string, Form>>>

const parts = {
  entities: 'entity',
  operations: 'operation',
  reads: 'read',
  states: 'states',
  commands: 'command',
  prompts: 'prompt',
  pages: 'page',
  jobs: 'job',
  queues: 'queue',
  feeds: 'feed',
  tables: 'table',
  migrations: 'migration',
  extensionPoints: 'point',
  provides: 'provided',
  connections: 'connection',
  receivers: 'receiver',
  publicPages: 'public page',
  uploads: 'upload',
  events: 'event',
} as const satisfies Partial<Record<keyof PluginDeclaration, Kind>>

function labelOf(key: string, name: string, part: unknown): string {
  const named = isMap(part) ? (part.name ?? part.path ?? part.id ?? part.point ?? part.provider) : undefined
  const own = isText(named) ? named : undefined
  if (own !== undefined) return `${parts[key as keyof typeof parts]} ${own}`
  return /^\d+$/.test(name) ? `${key}[${name}]` : `${parts[key as keyof typeof parts]} ${name}`
}

function partFaults(plugin: string, kind: Kind, label: string, part: unknown): string[] {
  const at = `${plugin}: ${label}`
  if (!isMap(part)) return [`${at} is not an object`]
  // Listed by mistake. Another check reports where it belongs.
  return kind === 'entity' && 'foreign' in part ? [] : shapeFaults(at, kind, part)
}

function shapeFaults(at: string, kind: Kind, part: Known): string[] {
  const known: Readonly<Record<string, Form>> = forms[kind]
  const wrong = Object.entries(known).flatMap(([key, form]) => {
    if (fits(form, part[key])) return []
    const wanted = checks[checkOf(form)][1]
    return part[key] === undefined
      ? [`${at} has no ${key}: it is ${wanted}`]
      : [`${at}: ${key} is not ${wanted}`]
  })
  if (kind === 'read') return wrong
  const strange = Object.keys(part).filter((key) => !Object.hasOwn(known, key))
  return [
    ...wrong,
    ...strange.map((key) => `${at}: ${key} is not a key of its declaration${meant(key, known)}`),
  ]
}

function meant(key: string, known: object): string {
  const near = nearest(key, Object.keys(known))
  return near ? `; did you mean ${near}?` : ''
}

const checkOf = (form: Form) => form.replace('?', '') as Check

const fits = (form: Form, value: unknown): boolean =>
  (value === undefined && form.endsWith('?')) || checks[checkOf(form)][0](value)
