// Finds out whether the files of a Terraform configuration configure a backend for their state.

const sources = /\.(?:tf|tofu)(?:\.json)?$/;

export const isSource = (name: string): boolean => sources.test(name);

// Matches `backend "s3" {`, `cloud {`, and the same in JSON.
const ownBackend = /\bbackend\s*"|\bcloud\s*\{|"(?:backend|cloud)"\s*:/;

export const hasOwnBackend = (text: string): boolean => ownBackend.test(text);
