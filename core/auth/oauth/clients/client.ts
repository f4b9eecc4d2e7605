/** An app, registered or described by a document. */
export interface Client {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly secret_hash?: string | undefined
  /** The registered authentication method. No other is accepted. */
  readonly auth_method: 'none' | 'client_secret_post' | 'client_secret_basic'
  /** Host of the document that names the app. Undefined if only the app itself claims its name. */
  readonly named_by: string | undefined
}
