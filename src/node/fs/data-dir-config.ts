export interface DataDirConfig {
  dataDir: string;
}
