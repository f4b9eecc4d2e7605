/** The exports for authors of engines, rulers and stages of a journey: `renown/visibility`. */

export {
  askEngine,
  costLimitOf,
  type EngineAnswer,
  type EngineFault,
  type EngineFaultKind,
  type EngineOutcome,
  engineFaultKinds,
} from './engines/ask-engine'
export {
  type CostBasis,
  type CostLimit,
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
  type LocationPrecision,
  locationPrecisions,
  type ReplyEnd,
  type TextSpan,
  type VisibilityEngine,
  visibilityEngine,
  type WireSource,
} from './engines/engine'
export {
  byteIndexes,
  joined,
  type Piece,
  type PieceSchema,
  pieceByType,
  spanOf,
} from './engines/pieces'
export {
  billedPrice,
  costOf,
  limitOf,
  type ModelPrice,
  type Price,
  type PriceTable,
  priceForm,
  priceOf,
  type SaidUsage,
  type Usage,
} from './engines/prices'
export { type ResponsesProfile, responsesEngine, type ServiceSettings } from './engines/responses'
export {
  type Absent,
  oddIn,
  type SoundItems,
  sideField,
  sideList,
  usedCount,
  valueOr,
} from './engines/side-fields'
export { askWire, type EngineService, listModels, unreadableAnswer, type WireAnswer } from './engines/wire'
export {
  type JourneyFigures,
  type JourneyPart,
  type JourneyQuestion,
  type JourneyStage,
  journeyStage,
  journeyStages,
} from './journey/stage'
export { plainRule, type Rule, type RulePart, ruleParts } from './rulers/rule'
export { type VisibilityRuler, visibilityRuler } from './rulers/ruler'
