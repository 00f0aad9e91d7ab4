/**
 * Every expected failure of Corvet: HTTP status and default message.
 * /v3 shows `{error: message}`; /usg/v1 shows `{error: {code, message}}` with the lower-case code of its own specification.
 */
export const errorCatalogue = {
  MISSING_FIELD: { status: 400, message: "Missing required field" },
  INVALID_FIELD: { status: 400, message: "Invalid field" },
  INVALID_JSON: { status: 400, message: "Request body is not valid JSON" },
  INVALID_BODY: { status: 400, message: "Request body must be a JSON object" },
  INVALID_BASE64: { status: 400, message: "Invalid base64 image" },
  INVALID_IMAGE: { status: 400, message: "Image could not be decoded" },
  UNSUPPORTED_IMAGE: { status: 400, message: "Image must be JPEG or PNG" },
  IMAGE_TOO_MANY_PIXELS: { status: 400, message: "Image exceeds maximum of 100 megapixels" },
  INVALID_CORNERS: { status: 400, message: "Invalid field: corners" },
  NOT_SIGNED_IN: { status: 401, message: "Open the page with the address that the program printed" },
  INVALID_API_KEY: { status: 403, message: "Invalid API key" },
  FOREIGN_SENDER: { status: 403, message: "Only the program's own page may ask this" },
  NOT_FOUND: { status: 404, message: "Not found" },
  SESSION_NOT_FOUND: { status: 404, message: "Session not found" },
  METHOD_NOT_ALLOWED: { status: 405, message: "Method not allowed" },
  REQUEST_TIMEOUT: { status: 408, message: "Request timed out" },
  CONFLICT: { status: 409, message: "Changed by someone else in the meantime" },
  GONE: { status: 410, message: "This endpoint is gone; use /v3/predict" },
  IMAGE_TOO_LARGE: { status: 413, message: "Image exceeds maximum size of 10MB" },
  BODY_TOO_LARGE: { status: 413, message: "Request body too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Content-Type must be application/json" },
  WRONG_HOST: { status: 421, message: "Host not allowed" },
  CORNERS_NOT_FOUND: { status: 422, message: "Corner detection failed" },
  BUSY: { status: 429, message: "Too many images waiting" },
  INTERNAL: { status: 500, message: "Internal server error" },
  NOT_AVAILABLE: { status: 501, message: "Not available here" },
  MODELS_NOT_LOADED: { status: 503, message: "Models not available" },
  POP_NOT_LOADED: { status: 503, message: "PoP pipeline not available" },
  ABORTED: { status: 499, message: "Request cancelled" },

  EDGES_COINCIDE: { status: 400, message: "Vertebral edges coincide" },
  AXIS_DEGENERATE: { status: 400, message: "Cardiac axis has no length" },

  ACCOUNT_NOT_FOUND: { status: 404, message: "Account not found" },
  KEY_NOT_FOUND: { status: 404, message: "Key not found" },
  STORE_DAMAGED: { status: 500, message: "The store is damaged" },
  STORE_BUSY: { status: 503, message: "The store is in use by another program" },
  LEDGER_BROKEN: { status: 500, message: "The ledger's chain does not verify" },
  PACK_REFUSED: { status: 400, message: "Model pack refused" },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

/** Key of the error catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;
