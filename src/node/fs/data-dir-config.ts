export interface DataDirConfig {
  /** The absolute path of the data folder. */
  dataDir: string;
}
