package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// world is the folder that stands for a cloud: one file for each object.
type world struct {
	folder string
	token  string
}

// record is what the world knows of an object.
type record struct {
	Value string `json:"value"`
	// Whether the secret and the write-only secret arrived, not what they are.
	HasSecret    bool   `json:"has_secret"`
	HasWriteOnly bool   `json:"has_write_only"`
	Token        string `json:"token"`
}

func (w *world) path(name string) string { return filepath.Join(w.folder, name+".json") }

// write makes the file appear whole, or not at all.
func (w *world) write(name string, it record) error {
	text, err := json.Marshal(it)
	if err != nil {
		return err
	}
	draft := filepath.Join(w.folder, "."+name)
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, w.path(name))
}

// read returns nil for an object that does not exist.
func (w *world) read(name string) (*record, error) {
	text, err := os.ReadFile(w.path(name))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var it record
	return &it, json.Unmarshal(text, &it)
}
