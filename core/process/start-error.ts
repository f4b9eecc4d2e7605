/**
 * Thrown if the product cannot start or be reached. Its message is one clear sentence without a stack. Exit
 * code 3.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** Whether another process holds the data folder. */
  readonly held: boolean
  constructor(message: string, details: { readonly held?: boolean } = {}) {
    super(message)
    this.held = details.held ?? false
  }
}
