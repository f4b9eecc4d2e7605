/** What a tenant can be asked as. */
export interface TenantFacts {
  readonly key: string
  readonly workspace: string
  /** A cookie for each person who is signed in. */
  readonly cookies: readonly string[]
}

/** What the server under test tells of itself. */
export interface ServerFacts {
  readonly port: number
  readonly loud: TenantFacts
  readonly quiet: TenantFacts
}
