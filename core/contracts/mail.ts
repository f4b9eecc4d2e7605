/** An email to one person. */
export interface MailMessage {
  /** One address without a display name, such as `ada@example.com`. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /**
   * The message id without angle brackets. Each retry uses the same id, so that a mailbox shows the message
   * once.
   */
  readonly messageId: string
  /** An address that accepts the POST of RFC 8058 and shows a page on GET. */
  readonly unsubscribeUrl?: string
}

/** Sends mail through the SMTP server of the settings. */
export interface Mail {
  readonly isConfigured: boolean
  /** The sender's address, or null if no server is set up. */
  readonly from: string | null
  /**
   * Resolves when the server has accepted the message. Throws a ServiceFault. `transient`: a retry can help. `permanent`:
   * the server refuses the recipient or the message. `auth`: it refuses the credentials. `unsupported`: no server is set
   * up.
   */
  send(message: MailMessage): Promise<void>
  /** Connects and signs in without sending anything. Throws like `send`. */
  verify(): Promise<void>
}
