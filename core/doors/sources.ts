// Reading other services: connections, answers and their faults, JSON and addresses of strangers, what may be concluded from them.

export type * from '../contracts/bounded-json'
export { jsonBounds, parseForeignJson, parseJson } from '../contracts/bounded-json'
export type * from '../contracts/connection'
export { defineConnection } from '../contracts/connection'
export { jsonObject } from '../contracts/json-object'
export type * from '../contracts/outbound'
export { rpcNotFound, rpcStatusFault } from '../contracts/rpc-status'
export type * from '../contracts/said'
export { doubt, said } from '../contracts/said'
export type * from '../contracts/self-check'
export { selfCheck } from '../contracts/self-check'
export { normaliseDomain } from '../kit/bare-domain'
export { canonicalJson } from '../kit/canonical-json'
export type * from '../kit/evidence'
export { isManyAtOnce, isProven } from '../kit/evidence'
export { fetchRefusal } from '../kit/fetch-refusal'
export type * from '../kit/oauth-token'
export { askToken } from '../kit/oauth-token'
export type * from '../kit/page-key'
export {
  cleanPageAddress,
  identifyingQuery,
  pageIdentity,
  pageKey,
  withoutHighlight,
} from '../kit/page-key'
export { publicOrigin } from '../kit/public-origin'
export type * from '../kit/robots'
export { parseRobots, robotsBytesMax } from '../kit/robots'
export { bareWords, isSameWords, withoutReferences } from '../kit/same-words'
export { readSecretFile } from '../kit/secret-file'
export type * from '../kit/stated-contacts'
export { addressesIn, telephonesIn, unfitText } from '../kit/stated-contacts'
export type * from '../kit/text-length'
export { textLength } from '../kit/text-length'
export { webAddress, withoutEmpty } from '../kit/web-address'
