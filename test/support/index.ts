/** What plugin authors test with: `renown/testing`. */
export { type AskOptions, type Gate, type GateOptions, startGate, type Tenant } from './harness'
export { sampleRow } from './sample-row'
export { type TestPluginOptions, testPlugin } from './test-plugin'
