import type { OperationClass } from '../contracts/operation'
import type { Settings } from '../contracts/settings'

type LimitSetting = Extract<keyof Settings, `LIMIT_${string}`>

/** One limit: its quota, its window, and whose requests count together. */
interface LimitRow {
  readonly name: string
  /** The settings whose sum is the quota. */
  readonly settings: readonly LimitSetting[]
  /** Factor of the quota. Default 1. */
  readonly times?: number
  readonly windowSeconds: number
  readonly per:
    | 'credential'
    | 'person'
    | 'agency'
    | 'address'
    | 'app and address'
    | 'page and address'
    | 'host of the app'
  /** Set if answers show the limit only when it refuses a request. */
  readonly isSilent?: true
}

const minute = 60
const day = 86_400

/** Windows of one address at the token endpoint, because callers choose the name of the app. */
export const clientWindows = 64

/** Every limit of an installation. */
export const limitTable = {
  reads: { name: 'reads', settings: ['LIMIT_READS_PER_MINUTE'], windowSeconds: minute, per: 'credential' },
  operations: {
    name: 'operations',
    settings: ['LIMIT_OPERATIONS_PER_MINUTE'],
    windowSeconds: minute,
    per: 'credential',
  },
  pages: { name: 'pages', settings: ['LIMIT_PAGES_PER_MINUTE'], windowSeconds: minute, per: 'person' },
  agencyPages: {
    name: 'agency-pages',
    settings: ['LIMIT_AGENCY_PAGES_PER_MINUTE'],
    windowSeconds: minute,
    per: 'agency',
  },
  drafts: { name: 'drafts', settings: ['LIMIT_DRAFTS_PER_MINUTE'], windowSeconds: minute, per: 'credential' },
  draftsDay: {
    name: 'drafts-day',
    settings: ['LIMIT_DRAFTS_PER_DAY'],
    windowSeconds: day,
    per: 'credential',
  },
  reportsDay: {
    name: 'reports-day',
    settings: ['LIMIT_REPORTS_PER_DAY'],
    windowSeconds: day,
    per: 'credential',
  },
  setupsDay: {
    name: 'setups-day',
    settings: ['LIMIT_SETUPS_PER_DAY'],
    windowSeconds: day,
    per: 'credential',
  },
  failures: {
    name: 'failed-authentication',
    settings: ['LIMIT_FAILED_AUTHENTICATION_PER_MINUTE'],
    windowSeconds: minute,
    per: 'address',
  },
  registrations: {
    name: 'registrations',
    settings: ['LIMIT_REGISTRATIONS_PER_HOUR'],
    windowSeconds: 60 * minute,
    per: 'address',
  },
  authorizations: {
    name: 'authorizations',
    settings: ['LIMIT_AUTHORIZATIONS_PER_15_MINUTES'],
    windowSeconds: 15 * minute,
    per: 'address',
  },
  tokens: {
    name: 'tokens',
    settings: ['LIMIT_TOKENS_PER_MINUTE'],
    windowSeconds: minute,
    per: 'app and address',
  },
  inboundMessages: {
    name: 'inbound-messages',
    settings: ['LIMIT_INBOUND_PER_MINUTE'],
    windowSeconds: minute,
    per: 'credential',
  },
  publicRequests: {
    name: 'public-requests',
    settings: ['LIMIT_PUBLIC_PER_MINUTE'],
    windowSeconds: minute,
    per: 'credential',
  },
  publicPasswords: {
    name: 'public-passwords',
    settings: ['LIMIT_PUBLIC_PASSWORDS_PER_15_MINUTES'],
    windowSeconds: 15 * minute,
    per: 'page and address',
  },
  mcpRequests: {
    name: 'mcp-requests',
    settings: ['LIMIT_READS_PER_MINUTE', 'LIMIT_OPERATIONS_PER_MINUTE'],
    windowSeconds: minute,
    per: 'credential',
    isSilent: true,
  },
  tokenRequests: {
    name: 'token-requests',
    settings: ['LIMIT_TOKENS_PER_MINUTE'],
    times: clientWindows,
    windowSeconds: minute,
    per: 'address',
    isSilent: true,
  },
  appDocuments: {
    name: 'app-documents',
    settings: ['LIMIT_APP_DOCUMENTS_PER_MINUTE'],
    windowSeconds: minute,
    per: 'host of the app',
  },
  appDocumentRequests: {
    name: 'app-document-requests',
    settings: ['LIMIT_APP_DOCUMENTS_PER_MINUTE'],
    windowSeconds: minute,
    per: 'address',
  },
} as const satisfies Readonly<Record<string, LimitRow>>

/** A limit of the table. */
export type LimitName = keyof typeof limitTable

/** A limit with its settings. */
export interface Policy {
  readonly name: string
  readonly quota: number
  readonly windowSeconds: number
}

/** Returns every limit of an installation by name, for `GET /api/surface` and the docs. */
export const policiesOf = (settings: Settings): Readonly<Record<LimitName, Policy>> =>
  Object.fromEntries(
    Object.entries(limitTable as Readonly<Record<string, LimitRow>>).map(([key, row]) => {
      const sum = row.settings.reduce((total, name) => total + settings[name], 0)
      return [key, { name: row.name, quota: sum * (row.times ?? 1), windowSeconds: row.windowSeconds }]
    }),
  ) as Record<LimitName, Policy>

/** One kind of request, and the limits that it counts against. */
interface Charge {
  readonly what: string
  readonly against: readonly LimitName[]
}

/**
 * What counts against which limit. Every limiter uses a name of this table, and docs/reference/limits.md is generated
 * from it. An MCP call counts like the same call over REST: a tool that reads records as a read, a tool of an
 * operation as that operation.
 */
export const charges = {
  read: {
    what: 'A request under `/api` that is neither a call nor MCP, such as `GET /api/entities/Lead`',
    against: ['reads'],
  },
  operation: { what: '`POST /api/functions/…`, before its body is read', against: ['operations'] },
  draftCall: { what: 'A call of an operation of class `draft`, including dry runs', against: ['drafts'] },
  draftWrite: { what: 'A call of class `draft` that is about to write', against: ['draftsDay'] },
  queueWrite: { what: 'A call of class `queue` that is about to write', against: ['reportsDay'] },
  setupWrite: { what: 'A call of class `setup` that is about to write', against: ['setupsDay'] },
  mcpRequest: { what: 'A request to `/api/mcp`, before its body is read', against: ['mcpRequests'] },
  mcpFurtherMessage: { what: 'Each message of a batch after its first', against: ['mcpRequests'] },
  mcpMessage: { what: 'An MCP message that calls no tool, or calls one without an id', against: ['reads'] },
  mcpRecordTool: { what: 'A call of a tool that reads records', against: ['reads'] },
  mcpOperationTool: { what: 'A call of the tool of an operation', against: ['operations'] },
  mcpUnknownTool: { what: 'A call of a tool that does not exist', against: ['reads'] },
  mcpRefusedCall: { what: 'A call of a tool that the protocol refuses', against: ['reads'] },
  inboundMessage: {
    what: '`POST /in/…`, by the token of the address, before its body is read',
    against: ['inboundMessages'],
  },
  publicPage: {
    what: 'A page or file under `/p/`, and a form of such a page, by the token of the address',
    against: ['publicRequests'],
  },
  publicPassword: {
    what: 'A password for a page under `/p/`, by the page and the network of the sender',
    against: ['publicPasswords'],
  },
  page: { what: 'A page under `/app` of a person who is signed in', against: ['pages', 'agencyPages'] },
  failure: {
    what: 'A request without a valid credential, a request for an unknown address under `/in/` or `/p/`, and a failed sign-in of an app',
    against: ['failures'],
  },
  registration: { what: '`POST /oauth/register`', against: ['registrations'] },
  authorization: { what: '`GET /oauth/authorize`', against: ['authorizations'] },
  tokenRequest: {
    what: '`POST /oauth/token` or `/oauth/revoke`, before its body is read',
    against: ['tokenRequests'],
  },
  token: { what: '`POST /oauth/token` or `/oauth/revoke` of an app', against: ['tokens'] },
  appDocument: {
    what: 'A fetch of the document that describes an app',
    against: ['appDocumentRequests', 'appDocuments'],
  },
} as const satisfies Readonly<Record<string, Charge>>

/** A row of the table of charges. */
export type ChargeName = keyof typeof charges

/** The limit of a call that is about to write. Null if its class has no daily limit. */
export const writeCharges = {
  draft: 'draftWrite',
  queue: 'queueWrite',
  setup: 'setupWrite',
  read: null,
  mark: null,
} as const satisfies Readonly<Record<OperationClass, ChargeName | null>>
