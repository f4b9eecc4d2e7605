/** What writers of engines import: `renown/visibility`. */

export {
  askEngine,
  type EngineAnswer,
  type EngineFault,
  type EngineFaultKind,
  type EngineOutcome,
  engineFaultKinds,
} from './engines/ask-engine'
export {
  type CostBasis,
  costBases,
  type EngineAccess,
  type EngineContext,
  type EngineCost,
  type EngineModel,
  type EngineQuestion,
  type EngineReply,
  type EngineSource,
  engineId,
  findEngine,
  type PlacePin,
  placePins,
  type ReplyEnd,
  type TextSpan,
  type VisibilityEngine,
  visibilityEngine,
  type WireSource,
} from './engines/engine'
