/** What plugin authors test with: `renown/testing`. */

export { type LocationCapacitySuite, testLocationCapacity } from './capacity-suite'
export {
  type HomeCardSuite,
  type LocationCardSuite,
  testHomeCard,
  testLocationCard,
} from './card-suite'
export { type ConnectionSuite, suiteRedirectUri, testConnection } from './connection-suite'
export { testVisibilityEngine, type VisibilityEngineSuite } from './engine-suite'
export { type AskOptions, type Gate, type GateOptions, startGate, type Tenant } from './harness'
export { type InboxSourceSuite, testInboxSource } from './inbox-suite'
export { type MentionSourceSuite, testMentionSource } from './mention-source-suite'
export { type PlatformIdSuite, testPlatformId } from './platform-id-suite'
export {
  type PostStandIn,
  type PostTargetSuite,
  type ShownPost,
  testPostTarget,
} from './post-target-suite'
export { type ProfileSourceSuite, testProfileSource } from './profile-source-suite'
export {
  type ReplyChannelSuite,
  type ReplyStandIn,
  testReplyChannel,
} from './reply-channel-suite'
export {
  type ReviewSourceSuite,
  type ReviewStandIn,
  type StandInReview,
  testReviewSource,
} from './review-source-suite'
export { sampleRow } from './sample-row'
export { type SetupStepSuite, testSetupStep } from './setup-suite'
export type { PlatformSetup, SourceSetup } from './source-world'
export type { EngineStandIn, StandInAnswer, StandInError } from './stand-ins/engines/engine'
export type { MentionStandIn, StandInPost, StandInSourceError } from './stand-ins/sources'
export { type TestPluginOptions, testPlugin } from './test-plugin'
