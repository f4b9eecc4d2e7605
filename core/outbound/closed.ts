import type { Outbound } from '../contracts/outbound'
import { ServiceFault } from '../contracts/service-fault'
import { closedMail } from './mail/smtp'

const closed = (): never => {
  throw new ServiceFault('unsupported', 'This process cannot make outbound requests')
}

/** Outbound access for contexts without it, such as a command without a product. Every use throws. */
export const closedOutbound: Outbound = {
  ask: async () => closed(),
  dns: { addresses: async () => closed(), txt: async () => closed() },
  safeFetch: async () => closed(),
  readSocket: async () => closed(),
  spend: async () => closed(),
  correct: async () => closed(),
  secrets: { seal: closed, open: closed, isOld: closed },
  connections: {
    get: async () => null,
    list: async () => [],
    token: async () => closed(),
    fail: async () => {},
    works: async () => {},
  },
  mail: closedMail,
  model: { isConfigured: false, generator: 'none', ask: async () => closed() },
}
