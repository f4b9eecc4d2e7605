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
  /** The display name of the sender, such as an agency. The address is that of the settings. */
  readonly fromName?: string
  readonly attachments?: readonly MailAttachment[]
  /**
   * Called when the server is ready for the content of the message. Nothing has been sent until it resolves, and nothing is
   * sent if it throws. Its error is thrown by `send`.
   */
  beforeContent?(): Promise<void>
}

/** A file in an email. */
export interface MailAttachment {
  readonly filename: string
  /** Its media type, such as `application/pdf`. */
  readonly type: string
  readonly bytes: Uint8Array
  /** The id by which the HTML part shows it: `cid:<id>`. */
  readonly contentId?: string
}

/** Sends mail through the SMTP server of the settings. */
export interface Mail {
  readonly isConfigured: boolean
  /** The sender's address, or null if no server is set up. */
  readonly from: string | null
  /**
   * Resolves when the server has accepted the message. Throws a ServiceFault. `transient`: a retry can help. `permanent`:
   * the server refuses the recipient or the message. Its `delivery` is absent only if the whole message was sent and no answer
   * came. Then the server may have accepted it. `auth`: it refuses the credentials. `unsupported`: no server is set
   * up.
   */
  send(message: MailMessage): Promise<void>
  /** Connects and signs in without sending anything. Throws like `send`. */
  verify(): Promise<void>
}
