// The results of requests to integrations; their reasons are in catalogue/delivery-reasons.ts.

export const deliveryResults = [
  'started',
  'not_matched',
  'unauthorized',
  'failed',
  'duplicate',
] as const;
export type DeliveryResult = (typeof deliveryResults)[number];
