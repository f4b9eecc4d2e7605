import type { Outbound } from '../contracts/outbound'
import { ServiceFault } from '../contracts/service-fault'

const closed = (): never => {
  throw new ServiceFault('unsupported', 'This process cannot make outbound requests')
}

/** For contexts that never reach outside, such as a command's without a product: every use is a fault. */
export const closedOutbound: Outbound = {
  ask: async () => closed(),
  dns: { addresses: async () => closed(), txt: async () => closed() },
  safeFetch: async () => closed(),
  spend: async () => closed(),
  secrets: { seal: closed, open: closed, isOld: closed },
  connections: {
    get: async () => null,
    list: async () => [],
    token: async () => closed(),
    fail: async () => {},
    works: async () => {},
  },
  model: { isConfigured: false, generator: 'none', ask: async () => closed() },
}
