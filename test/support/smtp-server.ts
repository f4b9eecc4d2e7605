/** A message that the stand-in accepted. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly data: string
}

/** What the stand-in does wrong. */
export interface SmtpFaults {
  /** Answer to RCPT, such as `550 5.1.1 no such user`. */
  recipient?: string
  /** Answer to the end of DATA, such as `452 4.3.1 insufficient storage`. */
  data?: string
  /** Accepts the message, then closes the connection without an answer. */
  loseAnswer?: boolean
  /** Accepts the message and never answers. */
  keepSilent?: boolean
  /** Closes the connection instead of answering this command, such as `DATA`. */
  cutAt?: string
  /** Answer to AUTH, such as `535 5.7.8 bad credentials`. */
  auth?: string
}

/**
 * A moment of a message. `MAIL`, `RCPT` and `DATA`: the server read this command and has not answered. `354`: it is ready for
 * the content. `content`: it read some of the content. `accepted`: it has the whole message, and has not answered.
 */
export type SmtpMoment = 'MAIL' | 'RCPT' | 'DATA' | '354' | 'content' | 'accepted'

/** An SMTP server on loopback that keeps what it is sent. It offers AUTH PLAIN and no encryption. */
export function smtpServer(hostname = '127.0.0.1', at: (moment: SmtpMoment) => void = () => {}) {
  const received: ReceivedMail[] = []
  const commands: string[] = []
  const faults: SmtpFaults = {}
  const server = Bun.listen<Session>({
    hostname,
    port: 0,
    socket: {
      open(socket) {
        socket.data = { rest: '', from: '', to: [], inData: false }
        socket.write('220 stand-in ESMTP\r\n')
      },
      data(socket, bytes) {
        const session = socket.data
        session.rest += bytes.toString()
        if (session.inData) at('content')
        for (;;) {
          const mark = session.inData ? '\r\n.\r\n' : '\r\n'
          const end = session.rest.indexOf(mark)
          if (end < 0) return
          const line = session.rest.slice(0, end)
          session.rest = session.rest.slice(end + mark.length)
          if (session.inData) {
            session.inData = false
            if (faults.data === undefined)
              received.push({ from: session.from, to: session.to, data: `${line}\r\n` })
            at('accepted')
            if (faults.loseAnswer) socket.end()
            else if (!faults.keepSilent) socket.write(`${faults.data ?? '250 2.0.0 queued'}\r\n`)
          } else {
            commands.push(line)
            const [, moment] = /^(MAIL|RCPT|DATA)\b/i.exec(line) ?? []
            if (moment !== undefined) at(moment.toUpperCase() as SmtpMoment)
            if (faults.cutAt !== undefined && line.toUpperCase().startsWith(faults.cutAt)) {
              socket.end()
              return
            }
            socket.write(`${answer(session, line, faults)}\r\n`)
            if (session.inData) at('354')
            if (/^QUIT/i.test(line)) socket.end()
          }
        }
      },
    },
  })
  return {
    received,
    /** Every line that a client sent outside of a message. */
    commands,
    faults,
    url: (credentials = '') => `smtp://${credentials}${hostname}:${server.port}`,
    stop: () => server.stop(true),
  }
}

interface Session {
  rest: string
  from: string
  to: string[]
  inData: boolean
}

function answer(session: Session, line: string, faults: SmtpFaults): string {
  const [verb = ''] = line.toUpperCase().split(' ')
  if (verb === 'EHLO') return '250-stand-in\r\n250 AUTH PLAIN'
  if (verb === 'AUTH') return faults.auth ?? '235 2.7.0 accepted'
  if (verb === 'MAIL') {
    session.from = line.slice(10).trim()
    session.to = []
    return '250 2.1.0 ok'
  }
  if (verb === 'RCPT') {
    if (faults.recipient !== undefined) return faults.recipient
    session.to.push(line.slice(8).trim())
    return '250 2.1.5 ok'
  }
  if (verb === 'DATA') {
    session.inData = true
    return '354 go ahead'
  }
  if (verb === 'STARTTLS') return '502 5.5.1 not offered'
  return verb === 'QUIT' ? '221 2.0.0 bye' : '250 2.0.0 ok'
}
