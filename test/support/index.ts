/** What plugin authors test with: `renown/testing`. */
export { type AskOptions, type Gate, type GateOptions, startGate, type Tenant } from './harness'
