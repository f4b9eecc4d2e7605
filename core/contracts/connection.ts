import type { Outbound } from './outbound'
import type { ServiceFault } from './service-fault'
import type { SettingName, Settings } from './settings'

/** What the client of a provider can use. */
export interface ProviderContext {
  readonly outbound: Pick<Outbound, 'ask'>
  /** A plugin reads its own settings with `of(ctx)` of its `defineSettings`. */
  readonly settings: Settings
}

/** What a provider can use when it makes requests as a connected account. */
export interface AccountContext extends ProviderContext {
  readonly outbound: Pick<Outbound, 'ask' | 'connections'>
}

/** Tokens of an account. Renown seals them before it stores them. */
export interface AccountTokens {
  /** `livesMs` is left out if the token does not expire. */
  readonly access?: { readonly token: string; readonly livesMs?: number }
  readonly refresh?: string
}

/** An account that the consent gives access to. */
export interface ReachedAccount {
  /** The provider's own id of the account. */
  readonly account_id: string
  readonly account_name?: string | undefined
  /** The type of the account, as the provider calls it. */
  readonly account_type?: string | undefined
  readonly tokens: AccountTokens
}

/** An account that a person may choose to connect. */
export interface OfferedAccount extends ReachedAccount {
  /** What will not work with this account. */
  readonly caution?: string | undefined
}

/** The start of a consent: what Renown sends to the provider, and what it must compare later. */
export interface ConsentStart {
  readonly state: string
  /** SHA-256 of the verifier, in base64url (RFC 7636). For providers that support PKCE. */
  readonly challenge: string
  readonly redirectUri: string
}

/** A provider's answer to a consent. */
export interface ConsentAnswer {
  readonly code: string
  /** The PKCE verifier of the challenge. */
  readonly verifier: string
  readonly redirectUri: string
}

/** The texts for people when a connection failed. */
export interface ConnectFailure {
  /** Shown instead of the provider's own message. */
  readonly words?: string
  readonly hint?: string
  /** True if the redirect address has to be corrected. The page then shows it. */
  readonly isAddress?: boolean
}

/** How people choose among the accounts that a consent reaches. */
export interface AccountChoice {
  /**
   * Lists every account that the person may connect. Called again for each step, so that only the tokens of
   * chosen accounts are stored.
   */
  list(ctx: ProviderContext, userToken: string): Promise<readonly OfferedAccount[]>
  /** The permissions that the person did not grant. Null when the provider does not say. */
  declined(ctx: ProviderContext, userToken: string): Promise<readonly string[] | null>
  /** The permissions that reviews need. Shown if the provider does not say what the person granted. */
  readonly permissions: readonly string[]
  /** What to do if the provider lists no account. */
  readonly emptyHint: string
}

/**
 * How people connect accounts by OAuth. `exchange` returns `accounts`, or a `userToken` to choose accounts
 * with.
 */
export interface ConsentDeclaration {
  /** Settings that must be set before people can be redirected to the provider. */
  readonly needs: readonly string[]
  /** The provider's page where a person gives consent. */
  address(ctx: ProviderContext, start: ConsentStart): string
  /** Exchanges the code for tokens. */
  exchange(
    ctx: ProviderContext,
    answer: ConsentAnswer,
  ): Promise<{ readonly accounts: readonly ReachedAccount[] } | { readonly userToken: string }>
  /** Required if `exchange` returns a `userToken`. */
  readonly choice?: AccountChoice
  /** What the provider asks people for, shown on the Connections page. */
  readonly about: string
  /** The operator's first step, such as registering an OAuth client. */
  readonly setup: string
  /** A sentence that says where to register the redirect address. */
  readonly redirectHint: string
  /** The message after accounts were connected. */
  readonly connected: string
  /** Messages for people, by error code or fault kind. */
  readonly failures?: Readonly<Record<string, ConnectFailure>>
}

/** How operators connect an account on the command line, with a file that contains one token. */
export interface TokenFileDeclaration {
  /** The kind of token in the file. */
  readonly kind: 'access' | 'refresh'
  /** The name of the token for people, such as `a refresh token`. */
  readonly called: string
  /** The form of an account id, such as `accounts/<number>`. */
  readonly accountId: string
  /** Returns why an account id cannot be used, or undefined if it can. */
  refusal?(accountId: string): string | undefined
}

/** A renewed access token. */
export interface RenewedToken {
  readonly accessToken: string
  readonly livesMs: number
  /** Set if the provider replaced it. */
  readonly refreshToken?: string | undefined
}

/** The profile of a listed location. Renown stores it when the location is added. */
export interface ListedProfile {
  readonly business_name: string
  readonly google_place_id?: string | undefined
  readonly google_account_id?: string | undefined
  readonly google_location_id?: string | undefined
  readonly facebook_page_id?: string | undefined
  /** Set by Renown, if the platform has a `locations.id` without a field of its own. */
  readonly platform_id?: string | undefined
  readonly business_category?: string | undefined
  readonly phone?: string | undefined
  readonly website?: string | undefined
  readonly address_line1?: string | undefined
  readonly address_line2?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postal_code?: string | undefined
  readonly country?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly google_maps_url?: string | undefined
  readonly review_link?: string | undefined
  readonly is_verified?: boolean | undefined
}

/** A location of a connected account. */
export interface ListedLocation {
  /** The provider's own id, as `connection location import` accepts it. */
  readonly id: string
  readonly profile: ListedProfile
  /** The postal address in one line. */
  readonly place?: string | undefined
  /** What will not work with this location. */
  readonly caution?: string | undefined
  /** Why it cannot be added. */
  readonly refused?: string | undefined
}

/** The locations of a connected account. */
export interface AccountListing {
  readonly locations: readonly ListedLocation[]
  /** How many more locations the person can access through other accounts. Add them from those accounts. */
  readonly elsewhere: number
}

/** The account whose locations are listed. */
export interface ListedAccount {
  /** Id of the connection. */
  readonly id: string
  readonly account_id: string
  readonly account_type?: string | undefined
}

/** A rate limit for every request below an address. All processes share it. */
export interface RateLimit {
  /** The beginning of the addresses that are limited. Empty: no limit. */
  readonly address: string
  /** Whom the provider counts requests for, such as `guild:<client id>`. Never a secret. */
  readonly client: string
  readonly callsPerMinute: number
  /** The calls that are reserved for writes and urgent requests. */
  readonly keptForReplies: number
  /** A limit of writes per account. `accountOf` finds the account in the address of a request. */
  readonly edits?: { readonly perMinute: number; accountOf(url: string): string | undefined }
  /** Whether a rate limit fault concerns the whole client, not only one account. */
  isWide(fault: ServiceFault): boolean
}

/** How people connect accounts of an outside service, and what Renown does with them. */
export interface ConnectionDeclaration {
  /** Unique name in kebab-case, such as `guild`. Stored with each connection. */
  readonly provider: string
  /** The name of the service for people. */
  readonly label: string
  /** The position on the Connections page. Lower numbers come first. */
  readonly order: number
  /** The words for an account, such as `Page` and `Pages`. Letters only. */
  readonly account: { readonly one: string; readonly many: string }
  readonly consent?: ConsentDeclaration
  readonly tokenFile?: TokenFileDeclaration
  /** Renews an access token. Throws a ServiceFault of kind `auth` only when the provider says that the connection has ended. */
  renew?(ctx: ProviderContext, refreshToken: string): Promise<RenewedToken>
  /** Returns the current locations of a connected account. Absent if its accounts have none. */
  locations?(ctx: AccountContext, account: ListedAccount): Promise<AccountListing>
  /** `added_via` of a location that was added from an account. */
  readonly addedVia?: 'gbp_oauth'
  /** The rate limits of the provider's addresses. */
  limits?(ctx: Pick<ProviderContext, 'settings'>): readonly RateLimit[]
}

/** Connection declarations by provider, in the order of the Connections page. */
export type Providers = ReadonlyMap<string, ConnectionDeclaration>

/** The public facts about a service: its names, and how its locations are marked. */
export type KnownProvider = Pick<
  ConnectionDeclaration,
  'provider' | 'label' | 'order' | 'account' | 'addedVia'
>

/** The services whose accounts people connect, in the order of the Connections page. */
export type KnownProviders = ReadonlyMap<string, KnownProvider>

/** Declares how people connect accounts of a service. List the result under `connections` of the plugin. */
export const defineConnection = (declaration: ConnectionDeclaration): ConnectionDeclaration => declaration

/** Returns the label of a provider, or its name if its plugin is not loaded. */
export const labelOf = (providers: KnownProviders, provider: string): string =>
  providers.get(provider)?.label ?? provider

/** Returns the required settings of a consent that are empty. */
export const missingSettings = (consent: ConsentDeclaration, settings: Settings): readonly string[] =>
  consent.needs.filter((name) => (settings[name as SettingName] ?? '') === '')
